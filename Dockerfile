# docker build -t plumbline . && docker run -p 8501:8501 -v plumbline:/srv/plumbline/data plumbline
FROM python:3.11-slim

# Elsewhere than on a machine with a CPU build of PyTorch at hand, pass --build-arg TORCH_INDEX_URL=...
ARG TORCH_INDEX_URL=""

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN useradd --create-home --uid 10001 plumbline
WORKDIR /srv/plumbline

COPY requirements.txt .
RUN python -m pip install ${TORCH_INDEX_URL:+--index-url "$TORCH_INDEX_URL"} torch==2.13.0 \
    && python -m pip install -r requirements.txt

COPY --chown=plumbline:plumbline app.py ./
COPY --chown=plumbline:plumbline .streamlit .streamlit
COPY --chown=plumbline:plumbline core core
COPY --chown=plumbline:plumbline pages pages
COPY --chown=plumbline:plumbline prompts prompts
COPY --chown=plumbline:plumbline sample_data sample_data
RUN mkdir data && chown plumbline:plumbline data

USER plumbline
# Else the first search for topics in each container would compile the layout again.
RUN python -m core.testset.topics.geometry.compiling
EXPOSE 8501
VOLUME ["/srv/plumbline/data"]
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/healthz', timeout=4)"]
CMD ["python", "-m", "pages.server.serve", "--host", "0.0.0.0", "--port", "8501"]
