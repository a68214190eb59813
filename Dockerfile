# An image with tilegpu and everything that its demo, studies and plots need, in the versions that its tests ran with:
#   docker build -t tilegpu .
#   docker run --rm -v "$PWD:/data" tilegpu render game.trace -o frames
FROM python:3.11-slim-bookworm
ENV TILEGPU_HOME=/opt/tilegpu
COPY . /source
WORKDIR /source
# Mesa's software drivers and apitrace, which `tilegpu reference` and the tests need; the simulator itself does without.
RUN sh tests/system_packages.sh
RUN python -m venv "$TILEGPU_HOME" && "$TILEGPU_HOME/bin/pip" install --no-cache-dir -c constraints.txt '.[studies,sampling,perfetto,cluster]'
# The demo checks the installation, and leaves kernels and timing engines compiled.
RUN cd "$(mktemp -d)" && "$TILEGPU_HOME/bin/tilegpu" demo
WORKDIR /data
ENTRYPOINT ["/opt/tilegpu/bin/tilegpu"]
CMD ["--help"]
