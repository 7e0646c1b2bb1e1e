import { getCallsStatus } from '@latchkey/core'
import { useEffect, useState } from 'react'
import { useApp } from '../../app/useApp.ts'

type Status = Awaited<ReturnType<typeof getCallsStatus>>
type Found = { id: string; data?: Status; error?: unknown }

/** Milliseconds between two reads of a batch that is not final. */
const everyMs = 1_000

/** The status of a batch of calls, polled until it is final; `data` is undefined until the wallet has answered. */
export function useCallsStatus({ id }: { id: string | undefined }): {
  data: Status | undefined
  error: unknown
} {
  const app = useApp()
  const [found, setFound] = useState<Found>()
  useEffect(() => {
    if (id === undefined) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      try {
        const data = await getCallsStatus(app, { id })
        if (isOver) return
        setFound({ id, data })
        if (data.status === 'pending') timer = setTimeout(look, everyMs)
      } catch (error) {
        if (!isOver) setFound({ id, error })
      }
    }
    void look()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [app, id])
  const own = found?.id === id ? found : undefined
  return { data: own?.data, error: own?.error }
}
