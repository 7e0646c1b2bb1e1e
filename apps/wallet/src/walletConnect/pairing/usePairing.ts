import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '../errorMessage.ts'
import type { WalletConnect } from '../openWalletConnect.ts'
import { texts } from '../texts.ts'
import { checkUri } from './checkUri.ts'
import { readQr } from './readQr.ts'

const silentAfterMs = 20_000

type Step = { kind: 'idle' | 'pairing' } | { kind: 'waiting'; topic: string }

/** Pairs with links, automatically with the one in `opened`, and reports progress and errors. */
export function usePairing(walletConnect: WalletConnect, opened: string | undefined) {
  const [step, setStep] = useState<Step>({ kind: 'idle' })
  const [problem, setProblem] = useState<string>()
  const openedOnce = useRef(false)
  const pair = async (text: string): Promise<boolean> => {
    const checked = checkUri(text)
    setProblem('problem' in checked ? checked.problem : undefined)
    if ('problem' in checked) return false
    const { wallet, changed } = walletConnect
    if (wallet.sessions().some(({ pairingTopic }) => pairingTopic === checked.topic)) {
      setProblem(texts.usedLink)
      return false
    }
    setStep({ kind: 'pairing' })
    try {
      await wallet.pair(checked.uri)
      setStep({ kind: 'waiting', topic: checked.topic })
      changed()
      return true
    } catch (error) {
      setStep({ kind: 'idle' })
      setProblem(errorMessage(error))
      return false
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address opens once
  useEffect(() => {
    if (opened === undefined || openedOnce.current) return
    openedOnce.current = true
    void pair(opened)
  }, [opened])
  const topic = step.kind === 'waiting' ? step.topic : undefined
  useEffect(() => {
    if (topic === undefined) return
    const { wallet, watch } = walletConnect
    const look = () => {
      const items = [...wallet.proposals(), ...wallet.authRequests(), ...wallet.sessions()]
      if (items.some(({ pairingTopic }) => pairingTopic === topic)) setStep({ kind: 'idle' })
    }
    look()
    const timer = setTimeout(() => {
      setStep({ kind: 'idle' })
      setProblem(texts.pairedSilent)
    }, silentAfterMs)
    const off = watch(look)
    return () => {
      clearTimeout(timer)
      off()
    }
  }, [walletConnect, topic])
  const readImage = async (file: Blob): Promise<string | undefined> => {
    setProblem(undefined)
    const found = await readQr(file).catch(() => null)
    if (found === null) setProblem(texts.noImage)
    else if (found === undefined) setProblem(texts.noCode)
    return found ?? undefined
  }
  return { step, problem, pair, readImage }
}
