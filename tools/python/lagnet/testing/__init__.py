"""Tests for methods, and searches for what breaks them."""
