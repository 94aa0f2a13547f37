"""What is released with differential privacy, and the function and macro of the same name that do it.

A new one is a line here: its options and keys are what the comment on its macro says.
"""

MECHANISMS = {
    "counts": "dp_counts",
    "sums": "dp_sums",
    "means": "dp_means",
    "quantiles": "dp_quantiles",
    "histogram": "dp_histogram",
    "top": "dp_top",
    "microaggregate": "dp_microaggregate",
    "response": "randomized_response",
    "sample": "sampled_k_anonymity",
    "contingency": "dp_contingency",
    "wavelet": "dp_wavelet",
    "bounds": "dp_bounds",
}
