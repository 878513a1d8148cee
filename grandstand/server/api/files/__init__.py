"""Pictures, pages, exports and imports."""
