// Endless animations would be drawn by the processor at every frame of the screen, so tests pause
// them.
document.addEventListener('animationstart', ({ target }) => {
  for (const animation of (target as Element).getAnimations({ subtree: true }))
    if (animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY)
      animation.pause()
})
