import { approveDeviceLinkRoute, readDeviceLinkRoute, readDigits } from '@latchkey/wire'
import { type FormEvent, useEffect, useState } from 'react'
import type * as z from 'zod/mini'
import { fill } from '../locales/en.ts'
import { pages } from '../locales/pages.en.ts'
import { getErrorMessage } from '../screens/getErrorMessage.ts'
import { Button } from '../screens/parts/Button.tsx'
import { useWork } from '../screens/parts/useWork.ts'
import { PageResult } from './PageResult.tsx'
import { postWithoutProof } from './postWithoutProof.ts'
import { renderPage } from './renderPage.tsx'
import { isCompleteSecret, takeLinkSecret } from './takeLinkSecret.ts'
import { UnusableLink } from './UnusableLink.tsx'

const t = pages.device
type Link = z.infer<typeof readDeviceLinkRoute.result>

/**
 * The page of a device link. Opening it approves nothing; choosing the two digits, or saying yes if
 * no digits are shown, and pressing does.
 */
function DevicePage({ secret }: { secret: string }) {
  const [link, setLink] = useState<Link>()
  const [failure, setFailure] = useState('')
  const [approved, setApproved] = useState<boolean>()
  const [digits, setDigits] = useState('')
  const { busy, problem, run } = useWork()
  useEffect(() => {
    postWithoutProof(readDeviceLinkRoute, { secret }).then(setLink, (error: unknown) =>
      setFailure(getErrorMessage(error)),
    )
  }, [secret])
  const answer = (given: { matchCode?: string; refuse?: true }) =>
    run(async () => {
      setApproved((await postWithoutProof(approveDeviceLinkRoute, { secret, ...given })).approved)
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void answer(link?.withoutDigits ? {} : { matchCode: digits })
  }
  if (approved === false) return <PageResult title={t.refusedTitle} text={t.refused} />
  if (approved || link?.approved)
    return (
      <PageResult
        title={t.approvedTitle}
        text={link?.codeInLinkMail ? t.approvedWithCode : t.approved}
      />
    )
  if (failure) return <UnusableLink text={failure} />
  return (
    <form className="stack" onSubmit={submit}>
      <h1>{t.title}</h1>
      {!link && <div className="skeleton" aria-busy="true" />}
      {link && (
        <>
          <p className="lead">{t.lead}</p>
          <dl className="rows">
            <Fact label={t.where} value={link.origin} />
            <Fact label={t.browser} value={link.browser} />
            <Fact label={t.when} value={new Date(link.startedAtMs).toLocaleString()} />
          </dl>
          {!link.withoutDigits && <Digits {...{ digits, setDigits, isWrong: problem !== '' }} />}
          <p className="line" role="status" data-level="danger">
            {problem}
          </p>
          <Button type="submit" busy={busy} disabled={!link.withoutDigits && digits.length !== 2}>
            {t.approve}
          </Button>
          {link.withoutDigits ? (
            <Button kind="quiet" disabled={busy} onClick={() => answer({ refuse: true })}>
              {t.no}
            </Button>
          ) : (
            <p className="small quiet">{t.refuse}</p>
          )}
          <p className="small quiet">
            {link.withoutDigits ? t.only : t.phone}{' '}
            {fill(t.expires, { minutes: Math.ceil(link.expiresInSeconds / 60) })}
          </p>
        </>
      )}
    </form>
  )
}

type DigitsProps = { digits: string; setDigits: (digits: string) => void; isWrong: boolean }

const Digits = ({ digits, setDigits, isWrong }: DigitsProps) => (
  <label className="field">
    <span>{t.digits}</span>
    <input
      className="match"
      dir="ltr"
      inputMode="numeric"
      autoComplete="off"
      value={digits}
      aria-invalid={isWrong}
      onChange={({ target }) => {
        const typed = readDigits(target.value).slice(0, 2)
        // Preact draws the field again only if the digits change.
        target.value = typed
        setDigits(typed)
      }}
    />
  </label>
)

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div className="row">
    <dt>{label}</dt>
    <dd>
      <bdi>{value}</bdi>
    </dd>
  </div>
)

const secret = takeLinkSecret(window)
renderPage(isCompleteSecret(secret) ? <DevicePage secret={secret} /> : <UnusableLink />)
