import { isError } from '@latchkey/wire'
import { useEffect, useRef, useState } from 'react'
import { areBlocked } from '../../askForPasskey.ts'
import { en } from '../../locales/en.ts'
import { type Passkeys, passkeysHere } from '../../passkeysHere.ts'
import type { openPasskeyWindow, PasskeyWindowPurpose } from '../../passkeyWindow.ts'
import { getCauseName } from '../getErrorMessage.ts'
import { useWork } from './useWork.ts'

type Open = typeof openPasskeyWindow

/**
 * Runs one task at a time with a passkey. If this frame may not use passkeys (`isBlocked`), `use`
 * opens a popup of the frame's site that can; call it in a press.
 */
export function usePasskeys() {
  const work = useWork()
  const [isBlocked, setBlocked] = useState(() => areBlocked(document))
  const [open, setOpen] = useState<Open>()
  const { setProblem } = work
  useEffect(() => {
    if (!isBlocked) return
    // Loaded before the press, because a browser opens a popup only within the press.
    import('../../passkeyWindow.ts').then(
      (loaded) => setOpen(() => loaded.openPasskeyWindow),
      () => setProblem(en.common.lost),
    )
  }, [isBlocked, setProblem])
  const opened = useRef<ReturnType<Open>>(undefined)
  // A screen that ends closes its popup.
  useEffect(() => () => opened.current?.close(), [])
  const tryHere = async (task: (passkeys: Passkeys) => Promise<void>) => {
    try {
      await task(passkeysHere)
    } catch (error) {
      if (isError(error) && getCauseName(error) === 'PasskeysBlocked') setBlocked(true)
      throw error
    }
  }
  const use = (about: PasskeyWindowPurpose, task: (passkeys: Passkeys) => Promise<void>) => {
    if (!isBlocked) return work.run(() => tryHere(task))
    if (work.busy || !open) return
    const own = open(about)
    opened.current = own
    return work.run(() => task(own).finally(() => own.close()))
  }
  return { ...work, busy: work.busy || (isBlocked && !open), isBlocked, use }
}
