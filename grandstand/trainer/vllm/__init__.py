"""Sampling by a vLLM server that the trainer starts and supervises."""
