"""The reference: matches and results that come with an installation."""
