import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { Gate } from './createGate.ts'

const holdMs = 700
const tolerancePx = 1

type Held = { timer: ReturnType<typeof setTimeout>; pointerId: number; x: number; y: number }

/**
 * Handlers for a control that counts once it was held for 700 ms by a real pointer that did not leave it, while the gate
 * stayed open and the frame stayed where it was on the screen.
 */
export function useHold({ gate, onHeld }: { gate: RefObject<Gate | null>; onHeld: () => void }) {
  const held = useRef<Held | undefined>(undefined)
  const [holding, setHolding] = useState(false)
  const release = () => {
    if (held.current) clearTimeout(held.current.timer)
    held.current = undefined
    setHolding(false)
  }
  useEffect(() => {
    const off = gate.current?.subscribe(() => {
      if (gate.current?.state() === 'open' || !held.current) return
      clearTimeout(held.current.timer)
      held.current = undefined
      setHolding(false)
    })
    return () => {
      off?.()
      if (held.current) clearTimeout(held.current.timer)
    }
  }, [gate])
  return {
    holding,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        release()
        if (!event.nativeEvent.isTrusted || event.button !== 0 || !event.isPrimary) return
        if (!gate.current?.check()) return
        const { pointerId, x, y } = { pointerId: event.pointerId, ...placeOf(event) }
        const timer = setTimeout(() => {
          const still = held.current !== undefined && gate.current?.check() === true
          release()
          if (still) onHeld()
        }, holdMs)
        held.current = { timer, pointerId, x, y }
        setHolding(true)
      },
      onPointerMove: (event: PointerEvent) => {
        const { current } = held
        if (!current) return
        const { x, y } = placeOf(event)
        // The frame was moved under the pointer, or another pointer came.
        const moved = Math.abs(x - current.x) > tolerancePx || Math.abs(y - current.y) > tolerancePx
        if (moved || event.pointerId !== current.pointerId) release()
      },
      onPointerUp: release,
      onPointerLeave: release,
      onPointerCancel: release,
      onContextMenu: release,
      onDragStart: release,
    },
  }
}

/** Where the frame itself is on the screen. */
const placeOf = ({ screenX, screenY, clientX, clientY }: PointerEvent) => ({
  x: screenX - clientX,
  y: screenY - clientY,
})
