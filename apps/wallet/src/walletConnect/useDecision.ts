import { useState } from 'react'
import { rememberRequest } from '../state.ts'
import { texts as own } from '../texts.ts'
import { errorMessage } from './errorMessage.ts'
import type { WalletConnect } from './openWalletConnect.ts'

/** Carries out what a person decided of an app's request; what goes wrong is said, and can be tried again. */
export function useDecision(
  { changed }: WalletConnect,
  { app, method }: { app: string; method: string },
) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const decide = async (outcome: 'approved' | 'rejected', work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
      rememberRequest({ origin: own.unproven(app), method, outcome, atMs: Date.now() })
    } catch (error) {
      setProblem(errorMessage(error))
    }
    setBusy(false)
    changed()
  }
  return { busy, problem, setProblem, decide }
}
