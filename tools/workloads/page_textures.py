"""The part of the page on twins that tells how their textures are stored, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .twin import VARIANTS, Twin


def textures_section(twins: Sequence[Twin]) -> Iterator[str]:
    """Texel formats and mipmaps of the Parallel Tile Rendering thesis' games, with the arguments."""
    yield "## Textures\n"
    yield "Of the textures of the Parallel Tile Rendering thesis' games one figure is published: almost 50 % of the"
    yield "texture addresses of a frame are reused between tiles (5.3 and Fig. 5.12), so about half of the blocks of"
    yield "64 bytes are used by one tile only. It is a property of games on the baseline, and the column"
    yield "`single_tile_share` is solved for it, game by game, though the thesis tells the mean only. Backdrops,"
    yield "layers and veils of these twins do not repeat their images, and things have images of their own.\n"
    yield "The format of the texels and the mipmaps no paper tells. The defaults follow from how such games shipped:\n"
    yield "- Games of sprites (CCS, CoC, RoK) have texels of 32 bits: sprites need alpha, which ETC1 lacks, the one"
    yield "  compressed format that all devices of the time had; engines for them load PNG files as RGBA8888 where"
    yield "  nothing else is said (Cocos2d-x: `kCCTexture2DPixelFormat_Default`)."
    yield "- CrS draws with OpenGL ES 1.1. ETC1 can be relied on from OpenGL ES 2.0 on, so its texels have 32 bits,"
    yield "  too."
    yield '- The others are games in three dimensions: opaque textures are ETC1, "the default texture format for'
    yield '  Android projects" of Unity (manual of 5.4, Android 2D Textures Overrides); those with alpha have 32 bits.'
    yield "- Textures have mipmaps in three dimensions, where things shrink with distance, and none in two (CCS),"
    yield "  where sprites are drawn at about the size they were made for. Games in 2.5 dimensions (Table 3.1) could"
    yield "  be either; they have them here."
    yield "- Twins of the thesis on visibility and collisions have texels of 32 bits: its traces were taken in the"
    yield "  Android emulator (3.1.1), which decodes compressed textures for the OpenGL of the host. How large"
    yield "  their images are follows from the share of texels in the traffic, 47 % (Fig. 1.6b), a mean that is set"
    yield "  for each.\n"
    yield "The other readings are variants of a twin's name, as in `000-rok+rgba8+unmipmapped`: "
    yield (
        ", ".join(f"`{name}`" for name in VARIANTS if name != "session")
        + ". They change the textures alone; what was solved stays, so"
    )
    yield "texels per fragment of unmipmapped variants are fewer where the twin has trilinear filters.\n"
    yield "| twin | dimensions | texels without alpha | mipmaps | size of images | own images |"
    yield "| --- | --- | --- | --- | ---: | ---: |"
    for twin in twins:
        mipmaps = "yes" if twin.mipmaps else "no"
        own = f"{twin.solved.own_images:.0%}"
        yield f"| {twin.name} | {twin.dimensions} | {twin.texel_format} | {mipmaps} | {twin.texture_scale:g} | {own} |"
    yield ""
