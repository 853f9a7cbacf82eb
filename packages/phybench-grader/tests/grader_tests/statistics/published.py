"""What PHYBench published, and what is derived of it: arXiv 2504.16074 v2 and its website."""

from typing import NamedTuple


class Row(NamedTuple):
    """One model of Table 4: means and bootstrap errors of 575 problems, efficiency in per cent."""

    name: str
    eed: float
    eed_error: float
    accuracy: float
    accuracy_error: float
    efficiency: float
    is_whole: bool = True
    """
    False of four whose accuracy is over 575 problems and whose EED is over about 345 that they
    answered, by the arithmetic of the table: their efficiency is an artefact.
    """


TABLE_4 = [
    Row("Gemini 2.5 Pro", 49.40, 1.71, 36.65, 1.97, 240.79),
    Row("o3 (high)", 46.30, 1.72, 34.58, 1.91, 221.48),
    Row("o4 mini (high)", 41.95, 1.68, 29.33, 1.83, 242.84),
    Row("DeepSeek-R1", 37.78, 1.59, 24.88, 1.71, 267.24),
    Row("o3 mini (high)", 37.22, 1.57, 24.92, 1.69, 258.06),
    Row("o4 mini", 36.44, 1.66, 24.77, 1.72, 233.88),
    Row("o3 mini", 33.21, 1.59, 21.13, 1.65, 264.18),
    Row("Grok 3 Beta", 31.94, 1.56, 21.09, 1.59, 236.67),
    Row("Gemini 2.0 Flash Thinking", 30.25, 1.48, 17.93, 1.51, 296.31),
    Row("o1", 27.46, 2.03, 10.72, 1.27, 257.09, is_whole=False),
    Row("Claude 3.7 Sonnet Thinking", 27.12, 1.44, 15.25, 1.43, 314.68),
    Row("GPT-4.1", 23.71, 1.44, 13.18, 1.41, 309.90),
    Row("DeepSeek-V3", 24.17, 1.39, 13.45, 1.38, 318.79),
    Row("o3 mini (low)", 25.34, 1.85, 8.13, 1.13, 362.12, is_whole=False),
    Row("Claude 3.7 Sonnet", 23.73, 1.35, 12.78, 1.34, 335.79),
    Row("GPT-4o", 15.35, 1.11, 6.89, 1.04, 434.02),
    Row("Qwen2.5-max", 13.92, 1.04, 6.03, 0.96, 452.20),
    Row("QwQ-32B", 4.54, 0.94, 1.58, 0.51, 241.21, is_whole=False),
    Row("DeepSeek-R1-Distill-Qwen-32B", 3.19, 0.71, 0.70, 0.35, 493.72, is_whole=False),
]

DOMAINS = ("MECHANICS", "ELECTRICITY", "THERMODYNAMICS", "OPTICS", "MODERN", "ADVANCED")
SIZES = (217, 161, 77, 51, 50, 19)
"""Problems that the leaderboard scores, by field: 575."""

EED_BY_DOMAIN = {
    # Figure 1: the mean EED over all problems, and by field.
    "Gemini 2.5 pro": (49.46, 50.47, 51.02, 49.45, 44.66, 44.74, 50.01),
    "o3 (high)": (46.37, 48.22, 46.65, 47.45, 41.66, 39.85, 48.27),
    "o4-mini (high)": (41.94, 43.95, 41.81, 42.24, 42.08, 29.24, 52.02),
    "DeepSeek-R1": (37.86, 38.72, 35.10, 41.74, 38.01, 33.61, 46.33),
    "o3-mini (high)": (37.26, 38.20, 36.52, 35.35, 42.35, 32.34, 39.93),
    "o4-mini": (36.44, 35.45, 39.03, 38.00, 34.49, 34.28, 30.49),
    "o3-mini": (33.26, 34.17, 33.49, 36.49, 33.95, 25.59, 26.32),
    "Grok 3 Beta": (32.00, 31.37, 32.72, 31.37, 34.55, 28.03, 39.26),
    "Gemini 2.0 Flash Thinking": (30.31, 31.65, 30.44, 28.73, 25.86, 29.85, 33.50),
    "o1": (27.44, 31.58, 21.44, 32.14, 24.00, 22.14, 25.79),
    "Claude 3.7 Sonnet Thinking": (27.14, 26.96, 26.59, 27.50, 32.05, 25.10, 24.64),
    "o3-mini (low)": (25.35, 24.55, 22.30, 27.28, 29.50, 27.46, 32.83),
    "DeepSeek-V3": (24.23, 23.50, 27.38, 20.29, 28.95, 19.93, 20.37),
    "Claude 3.7 Sonnet": (23.80, 21.46, 27.22, 22.56, 26.19, 19.58, 31.16),
    "GPT-4.1": (23.74, 22.67, 24.77, 19.21, 28.55, 24.23, 31.42),
    "GPT-4o": (15.39, 14.60, 16.25, 11.57, 23.32, 14.88, 12.42),
    "Qwen2.5-max": (13.94, 13.99, 14.84, 9.51, 21.33, 11.11, 11.24),
    "QwQ-32B": (4.50, 6.60, 4.55, 3.85, 0.40, 0.00, 3.10),
    "DeepSeek-R1 Distill-Qwen-32B": (3.16, 4.17, 1.91, 2.80, 2.26, 3.70, 3.10),
}
ADVANTAGES = {
    # Derived: each of the above by the mean of its column, less 1.
    "Gemini 2.5 pro": (0.761, 0.768, 0.815, 0.781, 0.531, 0.825, 0.690),
    "o3 (high)": (0.651, 0.689, 0.660, 0.709, 0.428, 0.626, 0.631),
    "o4-mini (high)": (0.493, 0.540, 0.488, 0.521, 0.443, 0.193, 0.758),
    "DeepSeek-R1": (0.348, 0.357, 0.249, 0.503, 0.303, 0.371, 0.566),
    "o3-mini (high)": (0.327, 0.338, 0.299, 0.273, 0.452, 0.320, 0.349),
    "o4-mini": (0.298, 0.242, 0.389, 0.369, 0.183, 0.399, 0.030),
    "o3-mini": (0.184, 0.197, 0.192, 0.314, 0.164, 0.044, -0.110),
    "Grok 3 Beta": (0.139, 0.099, 0.164, 0.130, 0.185, 0.144, 0.327),
    "Gemini 2.0 Flash Thinking": (0.079, 0.109, 0.083, 0.035, -0.113, 0.218, 0.132),
    "o1": (-0.023, 0.106, -0.237, 0.158, -0.177, -0.097, -0.128),
    "Claude 3.7 Sonnet Thinking": (-0.034, -0.055, -0.054, -0.010, 0.099, 0.024, -0.167),
    "GPT-4.1": (-0.155, -0.206, -0.119, -0.308, -0.021, -0.011, 0.062),
    "DeepSeek-V3": (-0.137, -0.177, -0.026, -0.269, -0.007, -0.187, -0.312),
    "o3-mini (low)": (-0.097, -0.140, -0.207, -0.017, 0.011, 0.120, 0.110),
    "Claude 3.7 Sonnet": (-0.153, -0.248, -0.032, -0.187, -0.102, -0.201, 0.053),
    "GPT-4o": (-0.452, -0.488, -0.422, -0.583, -0.200, -0.393, -0.580),
    "Qwen2.5-max": (-0.504, -0.510, -0.472, -0.657, -0.269, -0.547, -0.620),
    "QwQ-32B": (-0.840, -0.769, -0.838, -0.861, -0.986, -1.000, -0.895),
    "DeepSeek-R1 Distill-Qwen-32B": (-0.887, -0.854, -0.932, -0.899, -0.923, -0.849, -0.895),
}
PANEL = (28.08, 28.54, 28.11, 27.76, 29.17, 24.51, 29.59)
"""The means of the columns."""
