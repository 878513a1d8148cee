"""Campaigns of many matches or trainings: plans, executors and reports."""
