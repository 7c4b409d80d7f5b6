# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts for a card as users write them, 20 steps each with synthetic data: losses are those of
PyTorch's CPU, op by op, compiled and lazily."""
import habana_frameworks.torch.core as htcore
import pytest
import torch
import torch.nn.functional as F
from habana_frameworks.torch import _C
from torch import nn

STEPS = 20
# The two other modes have steps of training of their own in test_training.py.
MODES = [pytest.param(mode, marks=pytest.mark.slow) for mode in ("eager", "compile")] + ["lazy"]


@pytest.fixture(autouse=True)
def _mode(request):
    is_lazy = request.node.callspec.params.get("mode") == "lazy"
    _C.set_lazy_mode(int(is_lazy))
    yield
    _C.cut_all("the end of the script")
    _C.set_lazy_mode(0)


def _compiled(model, device, mode):
    """What a script calls: on the CPU, which is the judge, always op by op."""
    if mode == "compile" and device == "hpu":
        return torch.compile(model, backend="hpu_backend")
    return model


def _compare(script, mode, tolerance=1e-4, **options):
    """Losses of the script on both devices, which start from the same seed."""
    losses = {}
    for device in ("cpu", "hpu"):
        torch.manual_seed(1)
        losses[device] = script(device, mode, **options)
    assert len(losses["hpu"]) >= STEPS
    assert losses["cpu"][STEPS - 1] < losses["cpu"][0]
    torch.testing.assert_close(losses["hpu"], losses["cpu"], rtol=tolerance, atol=tolerance)


def _digits(step, count=16):
    generator = torch.Generator().manual_seed(step)
    labels = torch.randint(0, 10, (count,), generator=generator)
    images = 0.1 * torch.randn(count, 1, 28, 28, generator=generator)
    for image, label in zip(images, labels):
        image[0, 2 + 2 * label:6 + 2 * label, 4:24] += 1
    return images, labels


class _Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 8, 3), nn.Conv2d(8, 16, 3)
        self.fc1, self.fc2 = nn.Linear(16 * 12 * 12, 32), nn.Linear(32, 10)

    def forward(self, x):
        x = F.relu(self.conv2(F.relu(self.conv1(x))))
        x = torch.flatten(F.max_pool2d(x, 2), 1)
        return F.log_softmax(self.fc2(F.relu(self.fc1(x))), dim=1)


def _mnist(device, mode):
    model = _Digits().to(device)
    call = _compiled(model, device, mode)
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=5, gamma=0.7)
    losses = []
    for step in range(STEPS):
        data, target = (each.to(device) for each in _digits(step))
        optimizer.zero_grad()
        loss = F.nll_loss(call(data), target)
        loss.backward()
        htcore.mark_step()
        optimizer.step()
        htcore.mark_step()
        scheduler.step()
        losses.append(loss.item())
    return losses


@pytest.mark.parametrize("mode", MODES)
def test_mnist(mode):
    _compare(_mnist, mode)


class _Block(nn.Module):
    def __init__(self, before, after, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(before, after, 3, stride, 1, bias=False)
        self.conv2 = nn.Conv2d(after, after, 3, 1, 1, bias=False)
        self.bn1, self.bn2 = nn.BatchNorm2d(after), nn.BatchNorm2d(after)
        self.shortcut = nn.Identity() if stride == 1 and before == after else nn.Sequential(
            nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(y)) + self.shortcut(x))


def _resnet18(classes=10, width=64):
    """Of K. He et al., "Deep residual learning for image recognition", 2015."""
    layers = [nn.Conv2d(3, width, 7, 2, 3, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
              nn.MaxPool2d(3, 2, 1)]
    before = width
    for after in (width, 2 * width, 4 * width, 8 * width):
        layers += [_Block(before, after, 1 if after == width else 2), _Block(after, after, 1)]
        before = after
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(before, classes))


def _train_resnet(device, mode):
    model = _resnet18(width=16).to(device)
    call = _compiled(model, device, mode)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.005, momentum=0.9, weight_decay=1e-4)
    criterion = nn.CrossEntropyLoss().to(device)
    generator = torch.Generator().manual_seed(2)
    images = torch.randn(8, 3, 64, 64, generator=generator)
    target = torch.randint(0, 10, (8,), generator=generator)
    losses = []
    for _ in range(STEPS):
        loss = criterion(call(images.to(device, non_blocking=True)),
                         target.to(device, non_blocking=True))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        htcore.mark_step()
        optimizer.step()
        htcore.mark_step()
        losses.append(loss.item())
    model.eval()  # by the running statistics
    with torch.no_grad():
        losses.append(criterion(model(images.to(device)), target.to(device)).item())
    return losses


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_resnet18(mode):
    _compare(_train_resnet, mode)


def _accumulate(device, mode):
    """Four batches for each step of the optimizer, with clipped gradients."""
    model = _Digits().to(device)
    call = _compiled(model, device, mode)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    losses = []
    for step in range(STEPS):
        total = 0.0
        for part in range(4):
            data, target = (each.to(device) for each in _digits(4 * step + part, 4))
            loss = F.nll_loss(call(data), target) / 4
            loss.backward()
            htcore.mark_step()
            total += loss.item()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        htcore.mark_step()
        losses.append(total)
    return losses


@pytest.mark.parametrize("mode", MODES)
def test_gradient_accumulation(mode):
    _compare(_accumulate, mode)


def _resume(device, mode, folder, stop=None):
    """Writes a checkpoint after `stop` steps and goes on with new objects that read it."""
    torch.manual_seed(1)

    def objects():
        model = nn.Sequential(_Digits(), nn.Dropout(0.1)).to(device)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        return model, _compiled(model, device, mode), optimizer, \
            torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)

    model, call, optimizer, scheduler = objects()
    losses = []
    for step in range(STEPS):
        if step == stop:
            path = folder / "checkpoint.pt"
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(),
                        "scheduler": scheduler.state_dict(),
                        "rng": torch.hpu.get_rng_state()}, path)
            torch.manual_seed(77)
            model, call, optimizer, scheduler = objects()
            read = torch.load(path, map_location=device)
            model.load_state_dict(read["model"])
            optimizer.load_state_dict(read["optimizer"])
            scheduler.load_state_dict(read["scheduler"])
            torch.hpu.set_rng_state(read["rng"].cpu())
        data, target = (each.to(device) for each in _digits(step))
        optimizer.zero_grad()
        loss = F.nll_loss(call(data), target)
        loss.backward()
        optimizer.step()
        scheduler.step()
        htcore.mark_step()
        losses.append(loss.item())
    return losses


@pytest.mark.parametrize("mode", MODES)
def test_checkpoint_resumes_exactly(mode, tmp_path):
    whole = _resume("hpu", mode, tmp_path)
    resumed = _resume("hpu", mode, tmp_path, stop=STEPS // 2)
    assert resumed == whole
    assert whole[-1] < whole[0]
    # Nothing of it needs a card.
    on_host = torch.load(tmp_path / "checkpoint.pt", map_location="cpu")
    assert {each.device.type for each in on_host["model"].values()} == {"cpu"}


def _autocast(device, mode):
    model = _Digits().to(device)
    call = _compiled(model, device, mode)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    losses = []
    for step in range(STEPS):
        data, target = (each.to(device) for each in _digits(step))
        with torch.autocast(device_type=device, dtype=torch.bfloat16):
            output = call(data)
            loss = F.nll_loss(output.float(), target)
        loss.backward()
        htcore.mark_step()
        optimizer.step()
        optimizer.zero_grad()
        htcore.mark_step()
        losses.append(loss.item())
    return losses


@pytest.mark.parametrize("mode", MODES)
def test_autocast_of_bfloat16(mode):
    # bf16 has 8 bits: steps differ by its roundings.
    _compare(_autocast, mode, tolerance=0.05)


def _transformers():
    return pytest.importorskip("transformers", reason="transformers is not installed")


def _tokens(step, words, count=4, length=16):
    generator = torch.Generator().manual_seed(step)
    return torch.randint(5, words, (count, length), generator=generator)


def _train_bert(device, mode):
    """A step of fine-tuning: classes of pairs of sentences, with a padded batch."""
    transformers = _transformers()
    config = transformers.BertConfig(
        vocab_size=128, hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=64, max_position_embeddings=32, num_labels=2, hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0)
    model = transformers.BertForSequenceClassification(config).to(device).train()
    call = _compiled(model, device, mode)
    skipped = ("bias", "LayerNorm.weight")
    groups = [{"params": [parameter for name, parameter in model.named_parameters()
                          if name.endswith(skipped) == skips],
               "weight_decay": 0.0 if skips else 0.01} for skips in (False, True)]
    optimizer = torch.optim.AdamW(groups, lr=1e-3)
    scheduler = transformers.get_linear_schedule_with_warmup(optimizer, 2, STEPS)
    losses = []
    for step in range(STEPS):
        ids = _tokens(step % 4, 128)
        labels = (ids.sum(1) % 2).to(device)
        mask = torch.ones_like(ids)
        mask[1, 9:] = 0
        kinds = torch.zeros_like(ids)
        kinds[:, 8:] = 1
        outputs = call(input_ids=ids.to(device), attention_mask=mask.to(device),
                       token_type_ids=kinds.to(device), labels=labels)
        outputs.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        htcore.mark_step()
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        htcore.mark_step()
        losses.append(outputs.loss.item())
    return losses


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_bert_fine_tuning(mode):
    _compare(_train_bert, mode)


def _train_gpt2(device, mode):
    transformers = _transformers()
    config = transformers.GPT2Config(
        vocab_size=128, n_positions=32, n_embd=32, n_layer=2, n_head=2, resid_pdrop=0.0,
        embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=0, eos_token_id=0)
    model = transformers.GPT2LMHeadModel(config).to(device).train()
    call = _compiled(model, device, mode)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    losses = []
    for step in range(STEPS):
        ids = _tokens(step % 2, 128).to(device)
        loss = call(input_ids=ids, labels=ids).loss
        loss.backward()
        htcore.mark_step()
        optimizer.step()
        optimizer.zero_grad()
        htcore.mark_step()
        losses.append(loss.item())
    return losses


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_gpt2_training(mode):
    _compare(_train_gpt2, mode)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_llama_generates_with_a_static_cache(mode):
    transformers = _transformers()
    config = transformers.LlamaConfig(
        vocab_size=96, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=64,
        bos_token_id=1, eos_token_id=None, pad_token_id=0)
    torch.manual_seed(1)
    model = transformers.LlamaForCausalLM(config).eval()
    prompt = _tokens(0, 96, count=2, length=7)
    options = {"attention_mask": torch.ones_like(prompt), "max_new_tokens": 12, "do_sample": False,
               "cache_implementation": "static", "disable_compile": True}
    with torch.inference_mode():
        expected = model.generate(prompt, **options)
        model = model.to("hpu")
        options["attention_mask"] = options["attention_mask"].to("hpu")
        if mode == "compile":
            model.forward = torch.compile(model.forward, backend="hpu_backend", dynamic=False)
        tokens = model.generate(prompt.to("hpu"), **options)
    assert tokens.device.type == "hpu"
    assert tokens.cpu().tolist() == expected.tolist()
