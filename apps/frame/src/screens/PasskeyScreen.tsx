import { useRef } from 'react'
import { GatedButton } from './parts/GatedButton.tsx'
import { useWork } from './parts/useWork.ts'
import type { ScreenCallbacks } from './screenQueue.ts'

/** `other`: what the user can do without the passkey. */
export type PasskeyProps<Result> = {
  readonly text: string
  readonly target?: string | undefined
  readonly label: string
  readonly work: () => Promise<Result>
  readonly other?: { readonly label: string; readonly result: Result }
}

/** Says what a passkey is used for, and uses it when the user presses: browsers allow it in a focused page alone. */
export function PasskeyScreen<Result>({
  text,
  target,
  label,
  work,
  other,
  done,
}: PasskeyProps<Result> & ScreenCallbacks<Result>) {
  const { busy, problem, run } = useWork()
  const card = useRef<HTMLDivElement>(null)
  return (
    <div className="stack" ref={card}>
      <p className="lead">
        {text}{' '}
        {target && (
          <bdi className="strong" dir="auto">
            {target}
          </bdi>
        )}
      </p>
      <GatedButton about={card} busy={busy} onPress={() => run(async () => done(await work()))}>
        {label}
      </GatedButton>
      <p className="line" role="status" data-level={problem ? 'danger' : undefined}>
        {problem}
      </p>
      {other && (
        <button type="button" className="link" disabled={busy} onClick={() => done(other.result)}>
          {other.label}
        </button>
      )}
    </div>
  )
}
