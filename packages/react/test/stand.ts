// What moves without end would be drawn by the processor at every frame of the screen: here it stands.
document.addEventListener('animationstart', ({ target }) => {
  for (const animation of (target as Element).getAnimations({ subtree: true }))
    if (animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY)
      animation.pause()
})
