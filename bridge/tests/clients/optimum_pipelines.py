# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stable Diffusion and embeddings of sentences by optimum-habana, with tiny networks of random
weights. Usage: FOLDER. Prints an object of JSON for each."""
import json
import os
import string
import sys

import diffusers
import torch
import transformers
from diffusers import AutoencoderKL, DDIMScheduler, StableDiffusionPipeline, UNet2DConditionModel
from sentence_transformers import SentenceTransformer, models

folder = sys.argv[1]
transformers.logging.set_verbosity_error()
diffusers.logging.set_verbosity_error()


def written(name: str, text: str) -> str:
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def parts() -> dict:
    torch.manual_seed(0)
    words = ["<s>", "<pad>", "</s>", *string.ascii_lowercase,
             *(each + "</w>" for each in string.ascii_lowercase)]
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = transformers.CLIPTokenizer(
        written("vocab.json", json.dumps(vocabulary)), written("merges.txt", "#version: 0.2\n"),
        model_max_length=16, bos_token="<s>", eos_token="</s>", unk_token="</s>",
        pad_token="<pad>")
    text = transformers.CLIPTextModel(transformers.CLIPTextConfig(
        vocab_size=len(words), hidden_size=16, intermediate_size=32, num_attention_heads=2,
        num_hidden_layers=2, bos_token_id=0, pad_token_id=1, eos_token_id=2))
    unet = UNet2DConditionModel(
        sample_size=8, block_out_channels=(4, 8), layers_per_block=1, norm_num_groups=2,
        cross_attention_dim=16, down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"))
    coder = AutoencoderKL(block_out_channels=[4, 8], norm_num_groups=2,
                          down_block_types=["DownEncoderBlock2D"] * 2,
                          up_block_types=["UpDecoderBlock2D"] * 2)
    return {"unet": unet.eval(), "vae": coder.eval(), "text_encoder": text.eval(),
            "tokenizer": tokenizer, "safety_checker": None, "feature_extractor": None}


STEPS = {"beta_start": 0.00085, "beta_end": 0.012, "beta_schedule": "scaled_linear",
         "clip_sample": False, "set_alpha_to_one": False}


def pictures(pipeline, **options) -> list:
    pipeline.set_progress_bar_config(disable=True)
    latents = torch.randn(1, 4, 8, 8, generator=torch.Generator().manual_seed(1))
    made = pipeline("a b c", latents=latents, num_inference_steps=3, guidance_scale=6.0,
                    output_type="np", **options).images
    return torch.as_tensor(made[0]).tolist()


TEXTS = ["w1 w2 w3", "w4 w5", "w6 w7 w8 w9 w10", "w1 w1"]


def sentences(device: str) -> SentenceTransformer:
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"w{each}" for each in range(20))]
    place = os.path.join(folder, "sentences")
    if not os.path.exists(place):
        transformers.BertTokenizerFast(
            vocab_file=written("vocab.txt", "\n".join(words))).save_pretrained(place)
        torch.manual_seed(0)
        transformers.BertModel(transformers.BertConfig(
            vocab_size=len(words), hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
            intermediate_size=64, max_position_embeddings=64)).save_pretrained(place)
    words = models.Transformer(place)
    return SentenceTransformer(
        modules=[words, models.Pooling(words.get_word_embedding_dimension())], device=device)


def result(kind: str, device, numbers, on_cpu) -> None:
    print("RESULT", json.dumps({"kind": kind, "device": str(device), "numbers": numbers,
                                "cpu": on_cpu}), flush=True)


pictures_of_cpu = pictures(StableDiffusionPipeline(scheduler=DDIMScheduler(**STEPS), **parts()))
sentences_of_cpu = sentences("cpu").encode(TEXTS).tolist()

from optimum.habana import GaudiConfig  # noqa: E402: changes the libraries
from optimum.habana.diffusers import GaudiDDIMScheduler, GaudiStableDiffusionPipeline  # noqa: E402
from optimum.habana.sentence_transformers.modeling_utils import (  # noqa: E402
    adapt_sentence_transformers_to_gaudi)

for kind, graphs in (("diffusion", False), ("diffusion by graphs", True)):
    pipeline = GaudiStableDiffusionPipeline(
        scheduler=GaudiDDIMScheduler(**STEPS), use_habana=True, use_hpu_graphs=graphs,
        gaudi_config=GaudiConfig(use_torch_autocast=False), **parts())
    result(kind, next(pipeline.unet.parameters()).device, pictures(pipeline, batch_size=1),
           pictures_of_cpu)
adapt_sentence_transformers_to_gaudi()
encoder = sentences("hpu")
result("sentences", encoder.device, encoder.encode(TEXTS).tolist(), sentences_of_cpu)
