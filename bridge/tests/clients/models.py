# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiny networks of transformers with random weights and no dropout, and data for them."""
import json
import subprocess
import sys
import zlib

import torch
import transformers
from torch.utils.data import Dataset

WORDS, LENGTH, LABELS = 64, 16, 3
CLASSIFIERS = ("bert", "distilbert", "roberta")
NO_DROPOUT = {
    "bert": {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0},
    "gpt2": {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0},
    "vit": {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0},
    "t5": {"dropout_rate": 0.0}}


def network(kind: str, deviation: float = 0.05):
    """Whose weights depend on their names, not on the order in which a library makes them."""
    model = _made(kind)
    for name, weight in sorted(model.named_parameters()):
        if weight.dim() > 1:
            torch.nn.init.normal_(weight, std=deviation, generator=torch.Generator().manual_seed(
                zlib.crc32(name.encode())))
    return model


def _made(kind: str):
    no_dropout = NO_DROPOUT.get(kind, {})
    encoder = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
               "intermediate_size": 64, "num_labels": LABELS}
    # Tokens that end a text are none that a network could choose.
    text = {"vocab_size": WORDS, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
    decoder = {**encoder, **text, "num_key_value_heads": 2, "max_position_embeddings": 128}
    if kind == "bert":
        return transformers.BertForSequenceClassification(transformers.BertConfig(
            vocab_size=WORDS, max_position_embeddings=2 * LENGTH, **encoder, **no_dropout))
    if kind == "vit":
        return transformers.ViTForImageClassification(transformers.ViTConfig(
            image_size=16, patch_size=4, **encoder, **no_dropout))
    if kind == "gpt2":
        return transformers.GPT2LMHeadModel(transformers.GPT2Config(
            n_embd=32, n_layer=2, n_head=4, n_positions=128, **text, **no_dropout))
    if kind == "t5":
        return transformers.T5ForConditionalGeneration(transformers.T5Config(
            d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, decoder_start_token_id=0,
            **{**text, "eos_token_id": 1}, **no_dropout))
    if kind == "mixtral":
        return transformers.MixtralForCausalLM(transformers.MixtralConfig(
            num_local_experts=4, num_experts_per_tok=2, **decoder))
    if kind in ("distilbert", "roberta"):
        name, sizes = {
            "distilbert": ("DistilBert", {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64,
                                          "seq_classif_dropout": 0.0, "num_labels": LABELS}),
            "roberta": ("Roberta", encoder)}[kind]
        return _of(name, "ForSequenceClassification", vocab_size=WORDS,
                   max_position_embeddings=2 * LENGTH, **sizes, **_SILENT)
    if kind == "whisper":
        layers = {f"{part}_{size}": count for part in ("encoder", "decoder") for size, count in
                  (("layers", 2), ("attention_heads", 4), ("ffn_dim", 64))}
        return _of("Whisper", "ForConditionalGeneration", d_model=32, num_mel_bins=8,
                   max_source_positions=32, max_target_positions=64, decoder_start_token_id=1,
                   suppress_tokens=None, begin_suppress_tokens=None, **layers, **text, **_SILENT)
    if kind == "gptj":
        return _of("GPTJ", "ForCausalLM", n_embd=32, n_layer=2, n_head=4, n_positions=128,
                   rotary_dim=4, **text, **NO_DROPOUT["gpt2"])
    name, other = {"llama": ("Llama", {}), "mistral": ("Mistral", {}), "qwen2": ("Qwen2", {}),
                   "phi": ("Phi", {"num_key_value_heads": 4, "partial_rotary_factor": 0.5}),
                   "gpt_neox": ("GPTNeoX", {"rotary_pct": 0.25}),
                   "falcon": ("Falcon", {}), "bloom": ("Bloom", {"n_head": 4, "n_layer": 2}),
                   "opt": ("OPT", {"ffn_dim": 64, "word_embed_proj_dim": 32})}[kind]
    return _of(name, "ForCausalLM", **{**decoder, **_SILENT, **other})


_SILENT = {name: 0.0 for name in ("dropout", "hidden_dropout", "attention_dropout",
                                  "hidden_dropout_prob", "attention_probs_dropout_prob")}


def _of(name: str, head: str, **options):
    """Options that a configuration does not know are kept by it, and change nothing."""
    return getattr(transformers, name + head)(getattr(transformers, name + "Config")(**options))


class Samples(Dataset):
    """Texts, or images, whose label is seen in each word, or colour."""

    def __init__(self, kind: str, count: int) -> None:
        generator = torch.Generator().manual_seed(5)
        self.samples = []
        for index in range(count):
            label = index % LABELS
            if kind == "vit":
                image = torch.randn(3, 16, 16, generator=generator)
                image[label] += 1
                self.samples.append({"pixel_values": image, "labels": label})
                continue
            words = torch.randint(3, 20, (LENGTH,), generator=generator) + 20 * label
            if kind == "whisper":
                sound = torch.randn(8, 2 * 32, generator=generator) + label
                self.samples.append({"input_features": sound, "labels": words})
                continue
            self.samples.append({
                "input_ids": words, "attention_mask": torch.ones(LENGTH, dtype=torch.long),
                "labels": label if kind in CLASSIFIERS else words.clone()})

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, index: int):
        return self.samples[index]


class Log(transformers.TrainerCallback):
    """What a Trainer logs."""

    def __init__(self) -> None:
        self.lines: list[dict] = []

    def on_log(self, args, state, control, logs=None, **_) -> None:
        self.lines.append(dict(logs))

    def values(self, key: str) -> list[float]:
        return [line[key] for line in self.lines if key in line]


TRAINING = {"per_device_train_batch_size": 8, "max_steps": 10, "logging_steps": 1,
            "save_strategy": "no", "report_to": [], "learning_rate": 1e-3, "max_grad_norm": 1.0,
            "disable_tqdm": True, "seed": 7, "adam_epsilon": 1e-8, "lr_scheduler_type": "constant"}


NEW_WORDS = 12


def prompts(kind: str) -> dict[str, torch.Tensor]:
    """Two texts of different lengths, padded on the left; an encoder's on the right."""
    generator = torch.Generator().manual_seed(3)
    words = torch.randint(3, 60, (2, 9), generator=generator)
    mask = torch.ones_like(words)
    padding = slice(0, 3) if kind != "t5" else slice(6, 9)
    words[1, padding], mask[1, padding] = 0, 0
    return {"input_ids": words, "attention_mask": mask}


def decided(kind: str):
    """A network whose words are far from equally likely, so that rounding chooses none."""
    return network(kind, 0.5).eval()


def _trained(kind: str) -> dict:
    log = Log()
    trainer = transformers.Trainer(
        model=network(kind), train_dataset=Samples(kind, 80), eval_dataset=Samples(kind, 16),
        args=transformers.TrainingArguments("unused", use_cpu=True, **TRAINING), callbacks=[log])
    trainer.train()
    return {"losses": log.values("loss"), "loss": trainer.evaluate()["eval_loss"]}


def _generated(kind: str) -> list[list[int]]:
    with torch.no_grad():
        return decided(kind).generate(**prompts(kind), max_new_tokens=NEW_WORDS,
                                      do_sample=False).tolist()


def on_cpu(what: str, kinds) -> dict:
    """What transformers' own Trainer ("train"), or generate(), gives on the CPU for each kind, in a
    process of its own: clients replace parts of transformers."""
    done = subprocess.run([sys.executable, __file__, what, *kinds], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    call = {"train": _trained, "generate": _generated}[sys.argv[1]]
    print(json.dumps({kind: call(kind) for kind in sys.argv[2:]}))
