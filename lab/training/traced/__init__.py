"""Pictures of dice traced by Blender's Cycles, with truth from the scene: `python -m lab.training.traced`.

The scene is a frozen value of `lab.scenes`. `finish` and `meshes` are pure; only `studio`, `materials` and
`solids` speak to Blender (`bpy`, the extra `render`).
"""
