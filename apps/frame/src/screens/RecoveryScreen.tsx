import { getWalletRoute, listPasskeysRoute, removeFactorRoute } from '@latchkey/wire'
import { useCallback, useEffect, useState } from 'react'
import { account } from '../locales/account.en.ts'
import { codes } from '../locales/codes.en.ts'
import { fill } from '../locales/en.ts'
import { questions } from '../locales/questions.en.ts'
import { hasPasskeySupport } from '../passkey.ts'
import { getErrorMessage } from './getErrorMessage.ts'
import type { PageEnding, PageProps } from './pageProps.ts'
import { ConfirmButton } from './parts/ConfirmButton.tsx'
import { GuardedButton } from './parts/GuardedButton.tsx'
import { buildPrompt, toOneLine } from './parts/prompt.ts'
import { WaitingRecoveries } from './parts/WaitingRecoveries.tsx'
import type { WithPicture } from './screenQueue.ts'

const t = account.recovery
const removal = ({ kind, label }: Factor) => ({
  text: codes.stepUp.remove,
  target: label ? `${t[kind]}, ${label}` : t[kind],
})
type Factor = {
  id: string
  kind: 'passkey' | 'kit' | 'operator'
  label?: string | undefined
  credentialId?: string | undefined
}

/** Lists the ways to recover the wallet, and adds another. */
export function RecoveryScreen({
  session,
  keys,
  origin,
  picture,
  problem,
  done,
}: PageProps & PageEnding & WithPicture) {
  const [factors, setFactors] = useState<readonly Factor[]>()
  const [verified, setVerified] = useState<readonly string[]>([])
  const [usesOld, setUsesOld] = useState(false)
  const [failure, setFailure] = useState('')
  const load = useCallback(async () => {
    try {
      const [{ wallet, other }, { credentialIds }] = await Promise.all([
        session.call(getWalletRoute, { moves: true }),
        session.call(listPasskeysRoute, {}),
      ])
      // Recovery methods can only be added to the wallet of the account, which this browser may not
      // use.
      if (wallet && other) {
        const { inUse } = await keys.do('readWallets', {})
        setUsesOld(inUse.walletId !== wallet.id)
      }
      setVerified(credentialIds)
      setFactors(wallet?.factors ?? [])
    } catch (error) {
      setFailure(getErrorMessage(error))
    }
  }, [session, keys])
  useEffect(() => {
    void load()
  }, [load])
  const toWallets = (
    <button type="button" className="link" onClick={() => done({ to: 'fresh-wallet' })}>
      {account.settings.replaceWallet}
    </button>
  )
  if (usesOld)
    return (
      <div className="stack">
        <WaitingRecoveries session={session} />
        <p className="notice">{t.usesOld}</p>
        {toWallets}
      </div>
    )
  return (
    <div className="stack">
      <WaitingRecoveries session={session} />
      {factors?.length === 0 ? (
        <p className="notice" data-level="caution">
          {t.none}
        </p>
      ) : (
        <p className="lead">{t.lead}</p>
      )}
      {(problem !== undefined || failure) && (
        <p className="notice" data-level="danger" role="alert">
          {failure || getErrorMessage(problem)}
        </p>
      )}
      {factors === undefined && !failure && <div className="skeleton" aria-busy="true" />}
      <ul className="list">
        {factors?.map((factor) => (
          <li className="device" key={factor.id}>
            <div>
              <span className="strong">{t[factor.kind]}</span>
              {factor.kind === 'operator' && <span className="small quiet">{t.operatorNote}</span>}
              {factor.kind === 'passkey' && (
                <span className="small quiet">
                  {verified.includes(factor.credentialId ?? '') ? t.passkeyAll : t.passkeyOld}
                </span>
              )}
              {factor.label && (
                <bdi className="small quiet">{fill(t.added, { when: factor.label })}</bdi>
              )}
            </div>
            {factor.kind === 'operator' && (
              <GuardedButton kind="link" onPress={() => done({ kit: 'alone' })}>
                {t.removeOperator}
              </GuardedButton>
            )}
            {factors.length > 1 && factor.kind !== 'operator' && (
              <ConfirmButton
                kind="link"
                asker={{ session, origin, picture }}
                question={askToRemove(factor)}
                onPress={() =>
                  done({
                    run: async () => {
                      await session.call(removeFactorRoute, { id: factor.id })
                    },
                    code: { action: `remove ${factor.id}`, about: removal(factor) },
                  })
                }
              >
                {t.remove}
              </ConfirmButton>
            )}
          </li>
        ))}
      </ul>
      {factors?.length === 1 && <p className="small quiet">{t.last}</p>}
      <p className="small quiet">{t.copies}</p>
      {toWallets}
      {hasPasskeySupport(window) && (
        <GuardedButton kind="quiet" onPress={() => done({ add: 'passkey' })}>
          {t.addPasskey}
        </GuardedButton>
      )}
      <GuardedButton kind="quiet" onPress={() => done({ kit: 'too' })}>
        {t.addKit}
      </GuardedButton>
    </div>
  )
}

/** The confirmation in a popup, with the same content. */
const askToRemove = ({ kind, label }: Factor) =>
  buildPrompt(questions.removeWay, [
    { label: questions.way, value: t[kind] },
    ...(label ? [{ label: questions.added, text: toOneLine(label) }] : []),
  ])
