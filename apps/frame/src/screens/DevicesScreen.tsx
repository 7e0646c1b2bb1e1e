import { listDevicesRoute, renameDeviceRoute } from '@latchkey/wire'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { account } from '../locales/account.en.ts'
import { en, fill } from '../locales/en.ts'
import { questions } from '../locales/questions.en.ts'
import { EnrollmentRequest } from './EnrollmentRequest.tsx'
import { getErrorMessage } from './getErrorMessage.ts'
import type { PageEnding, PageProps } from './pageProps.ts'
import { Button } from './parts/Button.tsx'
import { ConfirmButton } from './parts/ConfirmButton.tsx'
import { buildPrompt, type PromptContext, toOneLine } from './parts/prompt.ts'
import { useWaitingDevices } from './parts/useWaitingDevices.ts'
import { WaitingRecoveries } from './parts/WaitingRecoveries.tsx'
import type { WithPicture } from './screenQueue.ts'

const t = account.devices
type Device = { id: string; name: string; current: boolean; lastUsedAtMs: number }

export function DevicesScreen({
  session,
  keys,
  origin,
  picture,
  problem,
  done,
}: PageProps & PageEnding & WithPicture) {
  const asker = { session, origin, picture }
  const [devices, setDevices] = useState<readonly Device[]>()
  const loadDevices = useCallback(async () => {
    const known = await session.call(listDevicesRoute, {})
    return () => setDevices(known.devices)
  }, [session])
  const { asks, failure, load } = useWaitingDevices(session, loadDevices)
  return (
    <div className="stack">
      <WaitingRecoveries session={session} />
      {asks.map((ask) => (
        <EnrollmentRequest key={ask.askId} {...{ ask, asker, keys }} onOver={load} />
      ))}
      {(problem !== undefined || failure) && (
        <p className="notice" data-level="danger" role="alert">
          {failure || getErrorMessage(problem)}
        </p>
      )}
      {devices === undefined && !failure && <div className="skeleton" aria-busy="true" />}
      <ul className="list">
        {devices?.map((device) => (
          <DeviceRow
            key={device.id}
            device={device}
            asker={asker}
            onRename={(name) =>
              done({
                run: async () => {
                  await session.call(renameDeviceRoute, { id: device.id, name })
                },
              })
            }
            onRevoke={() =>
              done({
                run: async () => {
                  await keys.do('revoke', { id: device.id })
                },
              })
            }
          />
        ))}
      </ul>
      {devices?.length === 1 && <p className="small quiet">{t.empty}</p>}
    </div>
  )
}

function DeviceRow({
  device,
  asker,
  onRename,
  onRevoke,
}: {
  device: Device
  asker: PromptContext
  onRename: (name: string) => void
  onRevoke: () => void
}) {
  const [mode, setMode] = useState<'rename' | 'revoke'>()
  const [name, setName] = useState(device.name)
  const row = useRef<HTMLLIElement>(null)
  const shown = useRef(mode)
  useEffect(() => {
    // The pressed button is gone.
    if (mode !== shown.current) row.current?.querySelector<HTMLElement>('input, button')?.focus()
    shown.current = mode
  }, [mode])
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim()) onRename(name.trim().slice(0, 64))
  }
  return (
    <li className="device" ref={row}>
      <div>
        <bdi className="strong">{device.name}</bdi>
        <span className="small quiet">
          {device.current
            ? t.this
            : fill(t.used, { when: new Date(device.lastUsedAtMs).toLocaleDateString() })}
        </span>
      </div>
      {mode === undefined && (
        <div className="tools">
          <button type="button" className="link" onClick={() => setMode('rename')}>
            {t.rename}
          </button>
          {!device.current && (
            <button
              type="button"
              className="link"
              data-level="danger"
              onClick={() => setMode('revoke')}
            >
              {t.revoke}
            </button>
          )}
        </div>
      )}
      {mode === 'rename' && (
        <form className="pair" onSubmit={save}>
          <input
            className="inline"
            aria-label={t.name}
            value={name}
            maxLength={64}
            onChange={({ target }) => setName(target.value)}
          />
          <Button type="submit">{t.save}</Button>
        </form>
      )}
      {mode === 'revoke' && (
        <div className="sure">
          <p className="small">{t.revokeSure}</p>
          <div className="pair">
            <Button kind="quiet" onClick={() => setMode(undefined)}>
              {en.common.cancel}
            </Button>
            <ConfirmButton
              about={row}
              kind="danger"
              asker={asker}
              question={buildPrompt(
                questions.revoke,
                [{ label: questions.device, text: toOneLine(device.name) }],
                'caution',
              )}
              onPress={onRevoke}
            >
              {t.revoke}
            </ConfirmButton>
          </div>
        </div>
      )}
    </li>
  )
}
