"""Several servers of one record: who plays which match, and how the others show it and pass requests on."""
