"""The picture of a delivery: speed, stroke, contact, direction, carry and fielder. It changes nothing that counts."""
