"""The one resident process that holds the index and the embedding model."""
