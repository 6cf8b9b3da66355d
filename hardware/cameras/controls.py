"""No-op exposure, focus and close for cameras without hardware."""

from __future__ import annotations

from hardware.optics.focus import Focus


class WithoutControls:
    """A camera with no exposure to keep, no lens to move and nothing to give back."""

    def lock_exposure(self) -> tuple[str, ...]:
        """Pictures of this kind have no exposure to keep."""
        return ()

    def unlock_exposure(self) -> None:
        """And none to let go."""

    def can_focus(self) -> bool:
        """No lens here moves."""
        return False

    def focus(self) -> Focus | None:
        """Nor a lens to move."""
        return None

    def stop(self) -> None:
        """Nobody waits for these pictures."""

    def close(self) -> None:
        """Nothing to give back."""
