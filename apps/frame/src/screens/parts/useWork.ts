import { useRef, useState } from 'react'
import { getErrorMessage } from '../getErrorMessage.ts'

/** Runs one task at a time, and provides the error of the last task. */
export function useWork() {
  const running = useRef(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const run = async (work: () => Promise<void>) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    setProblem('')
    try {
      await work()
    } catch (error) {
      setProblem(getErrorMessage(error))
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { busy, problem, setProblem, run }
}
