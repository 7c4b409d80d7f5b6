# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiny configurations of the transformers package: name -> builder of (model, inputs)."""
import torch
import transformers as hf

MODELS = {}

SIZES = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64)
TEXT = dict(vocab_size=97, max_position_embeddings=64, **SIZES)


def model(build):
    MODELS[build.__name__] = build
    return build


def tokens(*shape, high=97):
    return torch.randint(2, high, shape)


@model
def bert():
    mask = torch.ones(2, 12, dtype=torch.long)
    mask[1, 8:] = 0
    return hf.BertModel(hf.BertConfig(**TEXT)), dict(input_ids=tokens(2, 12), attention_mask=mask)


@model
def gpt2():
    config = hf.GPT2Config(vocab_size=97, n_positions=64, n_embd=32, n_layer=2, n_head=4)
    return hf.GPT2LMHeadModel(config), dict(input_ids=tokens(2, 12))


@model
def llama():
    return hf.LlamaForCausalLM(hf.LlamaConfig(num_key_value_heads=2, **TEXT)), \
        dict(input_ids=tokens(2, 12))


@model
def t5():
    config = hf.T5Config(vocab_size=97, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4,
                         decoder_start_token_id=0)
    return hf.T5ForConditionalGeneration(config), \
        dict(input_ids=tokens(2, 12), decoder_input_ids=tokens(2, 7))


@model
def vit():
    return hf.ViTModel(hf.ViTConfig(image_size=16, patch_size=4, **SIZES)), \
        dict(pixel_values=torch.randn(2, 3, 16, 16))


@model
def clip():
    config = hf.CLIPConfig(text_config=dict(eos_token_id=96, **TEXT),
                           vision_config=dict(image_size=16, patch_size=4, **SIZES),
                           projection_dim=16)
    return hf.CLIPModel(config), dict(input_ids=tokens(2, 12),
                                      pixel_values=torch.randn(2, 3, 16, 16))


@model
def whisper_encoder():
    config = hf.WhisperConfig(vocab_size=97, d_model=32, encoder_layers=2, decoder_layers=1,
                              encoder_attention_heads=4, decoder_attention_heads=4,
                              encoder_ffn_dim=64, decoder_ffn_dim=64, num_mel_bins=16,
                              max_source_positions=20, max_target_positions=20, pad_token_id=0,
                              bos_token_id=1, eos_token_id=2, decoder_start_token_id=1)
    return hf.WhisperModel(config).encoder, dict(input_features=torch.randn(1, 16, 40))


@model
def mixtral():
    config = hf.MixtralConfig(num_key_value_heads=2, num_local_experts=4, num_experts_per_tok=2,
                              **TEXT)
    return hf.MixtralForCausalLM(config), dict(input_ids=tokens(2, 12))


@model
def deepseek_v2():
    """Latent attention; the second layer routes to experts by topk(sorted=False)."""
    config = hf.DeepseekV2Config(
        num_key_value_heads=4, kv_lora_rank=16, q_lora_rank=24, qk_nope_head_dim=8,
        qk_rope_head_dim=8, v_head_dim=8, head_dim=8, n_routed_experts=8, num_experts_per_tok=2,
        n_shared_experts=1, moe_intermediate_size=16, first_k_dense_replace=1, **TEXT)
    return hf.DeepseekV2ForCausalLM(config), dict(input_ids=tokens(2, 12))


@model
def qwen2():
    return hf.Qwen2ForCausalLM(hf.Qwen2Config(num_key_value_heads=2, **TEXT)), \
        dict(input_ids=tokens(2, 12))


@model
def qwen3():
    return hf.Qwen3ForCausalLM(hf.Qwen3Config(num_key_value_heads=2, head_dim=8, **TEXT)), \
        dict(input_ids=tokens(2, 12))


@model
def gemma2():
    return hf.Gemma2ForCausalLM(hf.Gemma2Config(num_key_value_heads=2, head_dim=8, **TEXT)), \
        dict(input_ids=tokens(2, 12))


@model
def gemma3():
    return hf.Gemma3ForCausalLM(hf.Gemma3TextConfig(num_key_value_heads=2, head_dim=8, **TEXT)), \
        dict(input_ids=tokens(2, 12))


@model
def phi3():
    config = hf.Phi3Config(num_key_value_heads=2, pad_token_id=0, **TEXT)
    return hf.Phi3ForCausalLM(config), dict(input_ids=tokens(2, 12))


@model
def mamba():
    config = hf.MambaConfig(vocab_size=97, hidden_size=32, num_hidden_layers=2, state_size=4)
    return hf.MambaForCausalLM(config), dict(input_ids=tokens(2, 12), use_cache=False)


@model
def convnext():
    config = hf.ConvNextConfig(hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 2, 1], image_size=32)
    return hf.ConvNextModel(config), dict(pixel_values=torch.randn(2, 3, 32, 32))


@model
def swin():
    config = hf.SwinConfig(image_size=32, patch_size=4, embed_dim=16, depths=[2, 2],
                           num_heads=[2, 4], window_size=4)
    return hf.SwinModel(config), dict(pixel_values=torch.randn(1, 3, 32, 32))


@model
def segformer():
    config = hf.SegformerConfig(hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1],
                                num_attention_heads=[1, 2, 3, 4], decoder_hidden_size=16)
    return hf.SegformerForSemanticSegmentation(config), \
        dict(pixel_values=torch.randn(1, 3, 64, 64))


@model
def roberta_classifier():
    return hf.RobertaForSequenceClassification(hf.RobertaConfig(**TEXT)), \
        dict(input_ids=tokens(2, 12), labels=torch.tensor([0, 1]))


@model
def deberta():
    return hf.DebertaV2Model(hf.DebertaV2Config(relative_attention=True,
                                                pos_att_type=["p2c", "c2p"], **TEXT)), \
        dict(input_ids=tokens(2, 12))


@model
def electra():
    return hf.ElectraModel(hf.ElectraConfig(embedding_size=16, **TEXT)), \
        dict(input_ids=tokens(2, 12))


@model
def opt():
    config = hf.OPTConfig(vocab_size=97, hidden_size=32, num_hidden_layers=2, ffn_dim=64,
                          num_attention_heads=4, word_embed_proj_dim=32,
                          max_position_embeddings=64)
    return hf.OPTForCausalLM(config), dict(input_ids=tokens(2, 12))


@model
def bloom():
    return hf.BloomForCausalLM(hf.BloomConfig(vocab_size=97, hidden_size=32, n_layer=2,
                                              n_head=4)), dict(input_ids=tokens(2, 12))


@model
def falcon():
    return hf.FalconForCausalLM(hf.FalconConfig(vocab_size=97, hidden_size=32,
                                                num_hidden_layers=2, num_attention_heads=4)), \
        dict(input_ids=tokens(2, 12))


@model
def gpt_neox():
    return hf.GPTNeoXForCausalLM(hf.GPTNeoXConfig(**TEXT)), dict(input_ids=tokens(2, 12))


@model
def bart():
    config = hf.BartConfig(vocab_size=97, d_model=32, encoder_layers=2, decoder_layers=2,
                           encoder_attention_heads=4, decoder_attention_heads=4,
                           encoder_ffn_dim=64, decoder_ffn_dim=64, max_position_embeddings=64)
    return hf.BartForConditionalGeneration(config), \
        dict(input_ids=tokens(2, 12), decoder_input_ids=tokens(2, 7))


@model
def wav2vec2():
    config = hf.Wav2Vec2Config(conv_dim=(16, 16), conv_stride=(5, 2), conv_kernel=(10, 3),
                               num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=4,
                               num_feat_extract_layers=2, **SIZES)
    return hf.Wav2Vec2Model(config), dict(input_values=torch.randn(1, 400))


@model
def dinov2():
    return hf.Dinov2Model(hf.Dinov2Config(image_size=16, patch_size=4, **SIZES)), \
        dict(pixel_values=torch.randn(2, 3, 16, 16))


@model
def resnet_hf():
    config = hf.ResNetConfig(embedding_size=8, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1],
                             layer_type="basic")
    return hf.ResNetModel(config), dict(pixel_values=torch.randn(1, 3, 32, 32))


@model
def mobilevit():
    config = hf.MobileViTConfig(image_size=32, hidden_sizes=[16, 24, 32],
                                neck_hidden_sizes=[8, 8, 8, 8, 8, 8, 16])
    return hf.MobileViTModel(config), dict(pixel_values=torch.randn(1, 3, 32, 32))


@model
def patchtst():
    config = hf.PatchTSTConfig(context_length=32, patch_length=8, patch_stride=8, d_model=16,
                               num_hidden_layers=2, num_attention_heads=2, prediction_length=4,
                               num_input_channels=2)
    return hf.PatchTSTForPrediction(config), dict(past_values=torch.randn(2, 32, 2))


@model
def distilbert():
    config = hf.DistilBertConfig(vocab_size=97, dim=32, n_layers=2, n_heads=4, hidden_dim=64)
    return hf.DistilBertModel(config), dict(input_ids=tokens(2, 12))


@model
def rwkv():
    config = hf.RwkvConfig(vocab_size=97, hidden_size=32, num_hidden_layers=2)
    return hf.RwkvForCausalLM(config), dict(input_ids=tokens(1, 6), use_cache=False)


@model
def mamba2():
    config = hf.Mamba2Config(vocab_size=97, hidden_size=32, num_hidden_layers=2, state_size=8,
                             num_heads=8, head_dim=8, n_groups=1, chunk_size=4, expand=2)
    return hf.Mamba2ForCausalLM(config), dict(input_ids=tokens(1, 8), use_cache=False)


@model
def detr_decoder():
    from torch import nn

    class Detr(nn.Module):
        def __init__(self):
            super().__init__()
            self.backbone = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(),
                                          nn.Conv2d(16, 32, 3, 2, 1), nn.ReLU())
            self.transformer = nn.Transformer(32, 4, 1, 2, 64, dropout=0.0, batch_first=True)
            self.queries, self.position = nn.Parameter(torch.randn(5, 32)), \
                nn.Parameter(torch.randn(16, 32))
            self.boxes, self.classes = nn.Linear(32, 4), nn.Linear(32, 8)

        def forward(self, x):
            features = self.backbone(x).flatten(2).transpose(1, 2) + self.position
            hidden = self.transformer(features, self.queries[None].expand(x.shape[0], -1, -1))
            return self.boxes(hidden).sigmoid(), self.classes(hidden)
    return Detr(), dict(x=torch.randn(2, 3, 16, 16))
