import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { VisibilityGuard } from './createVisibilityGuard.ts'

const holdMs = 700
const tolerancePx = 1

type PressState = {
  timer: ReturnType<typeof setTimeout>
  pointerId: number
  x: number
  y: number
  full: boolean
}

/**
 * Handlers for a control that is activated by a hold of 700 ms. A real pointer must not leave the
 * control, the guard must stay open, and the frame must not move on the screen. A browser reports a
 * moved frame only with the next pointer event, so the last event decides. `onPress` is called when
 * a hold begins.
 */
export function useHoldToConfirm({
  guard,
  onPress,
  onHeld,
}: {
  guard: RefObject<VisibilityGuard | null>
  onPress?: (() => void) | undefined
  onHeld: () => void
}) {
  const held = useRef<PressState | undefined>(undefined)
  const [hold, setHold] = useState<'none' | 'holding' | 'full'>('none')
  const release = () => {
    if (held.current) clearTimeout(held.current.timer)
    held.current = undefined
    setHold('none')
  }
  useEffect(() => {
    const drop = () => {
      if (!held.current) return
      clearTimeout(held.current.timer)
      held.current = undefined
      setHold('none')
    }
    const off = guard.current?.subscribe(() => {
      if (guard.current?.state() !== 'open') drop()
    })
    return () => {
      off?.()
      drop()
    }
  }, [guard])
  return {
    hold,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        release()
        if (!event.nativeEvent.isTrusted || event.button !== 0 || !event.isPrimary) return
        if (!guard.current?.check()) return
        const timer = setTimeout(() => {
          if (!held.current || !guard.current?.check()) return release()
          held.current.full = true
          setHold('full')
        }, holdMs)
        held.current = { timer, pointerId: event.pointerId, full: false, ...getPosition(event) }
        setHold('holding')
        onPress?.()
      },
      onPointerMove: (event: PointerEvent) => {
        if (held.current && !isUnmoved(event, held.current)) release()
      },
      onPointerUp: (event: PointerEvent) => {
        const { current } = held
        release()
        if (!current?.full || !event.nativeEvent.isTrusted) return
        if (isUnmoved(event, current) && isInside(event) && guard.current?.check()) onHeld()
      },
      onPointerLeave: release,
      onPointerCancel: release,
      onContextMenu: release,
      onDragStart: release,
    },
  }
}

/** The position of the frame on the screen. */
const getPosition = ({ screenX, screenY, clientX, clientY }: PointerEvent) => ({
  x: screenX - clientX,
  y: screenY - clientY,
})

/** Whether it is the same pointer and the frame has not moved. */
function isUnmoved(event: PointerEvent, held: PressState): boolean {
  const { x, y } = getPosition(event)
  const moved = Math.abs(x - held.x) > tolerancePx || Math.abs(y - held.y) > tolerancePx
  return !moved && event.pointerId === held.pointerId
}

/** Touch events keep going to the element that was touched first. */
function isInside({ clientX, clientY, currentTarget }: PointerEvent): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
}
