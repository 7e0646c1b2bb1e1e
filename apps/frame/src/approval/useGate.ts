import { type RefObject, useEffect, useRef, useState } from 'react'
import { createGate, type Gate, type GateState } from './createGate.ts'

/** A gate over the elements of `refs` while they are mounted. */
export function useGate(
  refs: readonly RefObject<Element | null>[],
  options: Pick<Parameters<typeof createGate>[0], 'minSize' | 'trusting'> = {},
): {
  gate: RefObject<Gate | null>
  state: GateState
} {
  const gate = useRef<Gate | null>(null)
  const [state, setState] = useState<GateState>('covered')
  // The refs stay the same while the component is mounted.
  const fixed = useRef({ refs, options })
  useEffect(() => {
    const { refs, options } = fixed.current
    const targets = refs.flatMap(({ current }) => (current ? [current] : []))
    const opened = createGate({
      window,
      targets,
      isTop: window.top === window,
      now: () => performance.now(),
      ...options,
    })
    gate.current = opened
    const update = () => setState(opened.state())
    const off = opened.subscribe(update)
    update()
    return () => {
      off()
      opened.stop()
      gate.current = null
    }
  }, [])
  return { gate, state }
}
