"""The derived index over the Markdown: chunks, embeddings, LanceDB, recall."""
