import { type RefObject, useEffect, useRef, useState } from 'react'
import { createGate, type Gate, type GateState } from './createGate.ts'

type Refs = readonly RefObject<Element | null>[]

/** A gate over the elements of `refs`, which `around` holds, while they are mounted. */
export function useGate(
  refs: Refs,
  options: Pick<Parameters<typeof createGate>[0], 'minSize' | 'trusting'> & {
    around?: RefObject<Element | null>
  } = {},
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
    const opened = createGate({
      ...options,
      window,
      targets: getElements(refs),
      around: options.around?.current ?? undefined,
      isTop: window.top === window,
      now: () => performance.now(),
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

const getElements = (refs: Refs) => refs.flatMap(({ current }) => current ?? [])
