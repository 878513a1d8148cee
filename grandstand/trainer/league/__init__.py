"""The league: the players that a policy meets while it trains, their results, and the choice among them."""
