"""The voice: speaks the commentator's lines once for all viewers, and keeps the clips beside the record."""
