"""Chromium through Selenium and chromedriver: the second driver of crawls."""
