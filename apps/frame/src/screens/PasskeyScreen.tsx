import { useRef } from 'react'
import { en } from '../locales/en.ts'
import type { Passkeys } from '../passkeysHere.ts'
import { GuardedButton } from './parts/GuardedButton.tsx'
import { usePasskeys } from './parts/usePasskeys.ts'
import type { ScreenCallbacks } from './screenQueue.ts'

/** `other`: the alternative to the passkey. */
export type PasskeyProps<Result> = {
  readonly text: string
  readonly target?: string | undefined
  readonly label: string
  readonly work: (passkeys: Passkeys) => Promise<Result>
  readonly other?: { readonly label: string; readonly result: Result }
}

/**
 * Explains what a passkey is used for, and uses it when the user presses: browsers allow this only
 * in a focused page.
 */
export function PasskeyScreen<Result>({
  text,
  target,
  label,
  work,
  other,
  done,
}: PasskeyProps<Result> & ScreenCallbacks<Result>) {
  const { busy, problem, isBlocked, use } = usePasskeys()
  const press = () => use({ text, target }, async (passkeys) => done(await work(passkeys)))
  const card = useRef<HTMLDivElement>(null)
  return (
    <div className="stack" ref={card}>
      <p className="lead">
        <span>{text}</span>{' '}
        {target && (
          <bdi className="strong" dir="auto">
            {target}
          </bdi>
        )}
      </p>
      <GuardedButton about={card} busy={busy} onPress={press}>
        {isBlocked ? en.passkeyWindow.open : label}
      </GuardedButton>
      <p className="line" role="status" data-level={problem ? 'danger' : undefined}>
        {problem || (isBlocked && en.passkeyWindow.why)}
      </p>
      {other && (
        <button type="button" className="link" disabled={busy} onClick={() => done(other.result)}>
          {other.label}
        </button>
      )}
    </div>
  )
}
