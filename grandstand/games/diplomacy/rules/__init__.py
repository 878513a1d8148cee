"""The rules on integers: map, positions, orders and adjudication."""
