"""Pictures of the games of other libraries, recognized from the text in which they write a position."""
