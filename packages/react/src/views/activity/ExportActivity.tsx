import { type ActivityFile, type ExportProgress, exportActivity } from '@latchkey/core/internal'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enActivityTools } from '../../locales/activity/enActivityTools.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import styles from './ActivityTools.module.css'

type Progress =
  | { status: 'idle' | 'failed' }
  | { status: 'reading'; progress: ExportProgress }
  | { status: 'done'; file: ActivityFile }

/** How long the browser may take to begin a download. */
const REVOKE_MS = 60_000

/** Exports all activity of the account on the selected network, with its progress. */
export function ExportActivity() {
  const app = useApp()
  const t = useT(enActivityTools)
  const { address } = useAccount()
  const { network } = useNetwork()
  const [progress, setProgress] = useState<Progress>({ status: 'idle' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  if (address === undefined) return null

  const start = async () => {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const show = (next: Progress) => {
      if (!signal.aborted) setProgress(next)
    }
    const onProgress = (next: ExportProgress) => show({ status: 'reading', progress: next })
    onProgress({ step: 'transactions', count: 0 })
    try {
      const file = await exportActivity(app, { address, network, signal, onProgress })
      if (!signal.aborted) download(file)
      show({ status: 'done', file })
    } catch {
      show({ status: 'failed' })
    }
  }
  const cancel = () => {
    running.current?.abort()
    setProgress({ status: 'idle' })
  }
  const isReading = progress.status === 'reading'
  return (
    <>
      <Button
        variant="quiet"
        icon={isReading ? 'close' : 'download'}
        onClick={isReading ? cancel : start}
      >
        {isReading ? t('action.cancel') : t('export.start')}
      </Button>
      {progress.status === 'reading' && (
        <p className={styles.message}>
          <Reading progress={progress.progress} />
        </p>
      )}
      {progress.status === 'failed' && (
        <p className={styles.failed} role="alert">
          {t('export.failed')}
        </p>
      )}
      <p className={styles.message} role="status">
        {progress.status === 'done' && <Outcome file={progress.file} />}
      </p>
    </>
  )
}

function Reading({ progress }: { progress: ExportProgress }) {
  const t = useT(enActivityTools)
  const { count } = progress
  return progress.step === 'prices'
    ? t('export.prices', { done: progress.done, count })
    : t('export.reading', { count })
}

function Outcome({ file }: { file: ActivityFile }) {
  const t = useT(enActivityTools)
  const { count, isCut, isSearching, isWorthMissing, isWorthCut } = file
  return (
    <>
      <span>{t(isCut ? 'export.cut' : 'export.done', { count })}</span>
      {isSearching && !isCut && <span>{` ${t('export.searching')}`}</span>}
      {isWorthMissing && <span>{` ${t('export.worthMissing')}`}</span>}
      {isWorthCut && <span>{` ${t('export.worthCut')}`}</span>}
    </>
  )
}

function download({ name, content }: ActivityFile): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS)
}
