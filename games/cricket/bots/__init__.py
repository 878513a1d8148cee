"""Free built-in captains: stateless functions of the game, the seat and a keyed random stream."""
