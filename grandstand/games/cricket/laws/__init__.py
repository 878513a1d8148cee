"""The Laws and playing conditions, without probabilities and captains."""
