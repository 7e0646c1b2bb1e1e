import { type RefObject, useEffect, useRef, useState } from 'react'
import {
  createVisibilityGuard,
  type GuardState,
  type VisibilityGuard,
} from './createVisibilityGuard.ts'

type Refs = readonly RefObject<Element | null>[]

/**
 * A guard over the elements of `refs` while they are mounted. `parts`: the element that contains
 * them, and the function that tracks reading part by part.
 */
export function useVisibilityGuard(
  refs: Refs,
  options: Pick<Parameters<typeof createVisibilityGuard>[0], 'minSize' | 'trusting'> & {
    parts?: {
      around: RefObject<Element | null>
      createReader: (window: Window, elements: readonly Element[]) => () => boolean
    }
  } = {},
): {
  guard: RefObject<VisibilityGuard | null>
  state: GuardState
} {
  const guard = useRef<VisibilityGuard | null>(null)
  const [state, setState] = useState<GuardState>('covered')
  // The refs stay the same while the component is mounted.
  const fixed = useRef({ refs, options })
  useEffect(() => {
    const { refs, options } = fixed.current
    const { parts, ...others } = options
    const targets = getElements(refs)
    const around = parts?.around.current
    const opened = createVisibilityGuard({
      ...others,
      window,
      targets,
      parts: parts && around ? { around, isRead: parts.createReader(window, targets) } : undefined,
      isTop: window.top === window,
      now: () => performance.now(),
    })
    guard.current = opened
    const update = () => setState(opened.state())
    const off = opened.subscribe(update)
    update()
    return () => {
      off()
      opened.stop()
      guard.current = null
    }
  }, [])
  return { guard, state }
}

const getElements = (refs: Refs) => refs.flatMap(({ current }) => current ?? [])
