"""Sentence-transformers models made on the spot: too small to mean anything, complete in everything else."""

import pytest

WORDS = ["rates", "rose", "by", "2", "5", "percent", ".", "a", "b", "c", "##s", "the", "bank", "of", "d", "e", "f", "g"]


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory):
    """A folder with a transformer of 16 dimensions that takes 24 tokens."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing
    from torch import manual_seed
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS])}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=24,
    )
    manual_seed(7)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
    )
    raw = tmp_path_factory.mktemp("raw")
    BertModel(config).save_pretrained(raw)
    fast.save_pretrained(raw)
    folder = tmp_path_factory.mktemp("models") / "tiny"
    transformer = Transformer(str(raw), max_seq_length=24)
    SentenceTransformer(modules=[transformer, Pooling(16)], device="cpu").save(str(folder))
    return folder


@pytest.fixture(scope="session")
def static_model(tmp_path_factory):
    """A folder with a model that looks up one vector a word and takes texts of any length."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from torch import manual_seed

    manual_seed(7)
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="f"))
    tokenizer.pre_tokenizer = Whitespace()
    folder = tmp_path_factory.mktemp("models") / "static"
    SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=12)], device="cpu").save(str(folder))
    return folder
