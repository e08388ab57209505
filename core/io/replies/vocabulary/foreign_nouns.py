"""The nouns of a reply in other languages than English, without accents.

German, French, Spanish, Italian, Portuguese, Dutch, Polish, Czech, Swedish, Danish, Norwegian, Finnish, Turkish,
Russian, Chinese, Japanese, Korean.
"""

from __future__ import annotations

from typing import Final

DOCUMENTS: Final = ("dokumentid", "iddocument", "iddocumento", "documentoid", "文書id", "文档id", "문서id")
STATES: Final = ("tipo", "typ", "estado", "statut", "stato", "esito", "zustand")
ANSWERS: Final = frozenset(
    {
        *("antwort", "antworttext", "reponse", "respuesta", "risposta", "resposta", "antwoord", "odpowiedz"),
        *("odpoved", "svar", "vastaus", "yanit", "cevap", "ответ", "回答", "答案", "答复", "回复", "応答", "返答"),
        *("답변", "응답"),
    }
)
PASSAGES: Final = frozenset(
    {
        *("quellen", "belege", "fundstellen", "dokumente", "textstellen", "abschnitte", "kontext", "kontexte"),
        *("extraits", "references", "contexte", "documentsources", "fuentes", "documentos", "fragmentos"),
        *("pasajes", "referencias", "contexto", "fonti", "documenti", "passaggi", "riferimenti", "contesto"),
        *("brani", "fontes", "trechos", "bronnen", "documenten", "zrodla", "dokumenty", "fragmenty", "zdroje"),
        *("kallor", "dokument", "kilder", "dokumenter", "lahteet", "kaynaklar", "источники", "документы"),
        *("фрагменты", "来源", "引用", "参考资料", "参考文档", "文档", "出典", "参照", "根拠", "출처", "문서"),
    }
)
TEXTS: Final = (
    *("texte", "texto", "testo", "tekst", "inhalt", "auszug", "zitat", "textstelle", "textauszug"),
    *("abschnitt", "wortlaut", "contenu", "extrait", "passage", "contenido", "fragmento", "extracto"),
    *("pasaje", "cita", "contenuto", "estratto", "brano", "conteudo", "trecho", "inhoud", "fragment"),
    *("tresc", "innehall", "utdrag", "indhold", "uddrag", "innhold", "teksti", "icerik", "metin", "текст"),
    *("содержание", "фрагмент", "内容", "文本", "原文", "片段", "本文", "抜粋", "내용", "본문"),
)
FILES: Final = (
    *("datei", "dateiname", "quelle", "dokument", "dokumentname", "fichier", "nomfichier", "archivo"),
    *("fichero", "documento", "fuente", "arquivo", "fonte", "bestand", "bestandsnaam", "bron", "plik"),
    *("nazwapliku", "soubor", "fil", "filnamn", "filnavn", "tiedosto", "dosya", "файл", "文件", "文件名"),
    *("文档名", "文档名称", "ファイル", "ファイル名", "파일", "파일명"),
)
TITLES: Final = (
    *("titel", "titre", "titulo", "titolo", "tytul", "nazev", "tittel", "otsikko", "baslik", "название"),
    *("标题", "タイトル", "제목"),
)
SCORES: Final = (
    *("aehnlichkeit", "ahnlichkeit", "relevanz", "trefferguete", "similarite", "pertinence", "puntaje"),
    *("puntuacion", "similitud", "relevancia", "somiglianza", "punteggio", "rilevanza", "similaridade"),
    *("pontuacao", "gelijkenis", "relevantie", "podobienstwo", "trafnosc", "likhet", "lighed", "сходство"),
    *("релевантность", "相似度", "得分", "分数", "類似度", "スコア", "유사도", "점수"),
)
QUESTIONS: Final = frozenset(
    {
        *("frage", "fragestellung", "pregunta", "consulta", "domanda", "pergunta", "vraag", "pytanie"),
        *("otazka", "fraga", "sporgsmal", "sporsmal", "kysymys", "soru", "вопрос", "问题", "提问", "質問", "질문"),
    }
)
DECLINED: Final = frozenset(
    {
        *("abgelehnt", "verweigert", "keineantwort", "refus", "refusee", "sansreponse", "rechazada", "rechazado"),
        *(
            "sinrespuesta",
            "rifiutata",
            "rifiutato",
            "recusada",
            "astenuto",
            "abstenu",
            "abstenido",
            "recusado",
            "semresposta",
            "geweigerd",
        ),
        *("geenantwoord", "odmowa"),
    }
)
FOUND: Final = frozenset(
    {
        *("gefunden", "beantwortet", "beantwortbar", "trouve", "trouvee", "repondu", "encontrado", "encontrada"),
        *("respondida", "trovato", "trovata", "gevonden", "beantwoord", "znaleziono", "hittad", "fundet"),
    }
)
