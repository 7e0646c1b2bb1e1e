import { type RefObject, useLayoutEffect, useRef } from 'react'
import { createReadTracker } from '../../approval/createReadTracker.ts'
import { useVisibilityGuard } from '../../approval/useVisibilityGuard.ts'

type Refs = readonly RefObject<Element | null>[]

const minSize = { width: 240, height: 120 }

/**
 * The guard of a question on a screen: `refs` are visible, or were read part by part if they do not
 * fit. The last ref is the component's own element.
 */
export function useScreenGuard(refs: Refs): ReturnType<typeof useVisibilityGuard> {
  const around = useRef<Element>(null)
  const inside = refs.at(-1)
  useLayoutEffect(() => {
    // The screen is never larger than the window, so all of it can be visible.
    around.current = inside?.current?.closest('.screen') ?? inside?.current ?? null
  }, [inside])
  return useVisibilityGuard(refs, {
    parts: { around, createReader: createReadTracker },
    minSize,
    trusting: true,
  })
}
