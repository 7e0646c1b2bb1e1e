import { type ActivityFile, exportActivity } from '@latchkey/core/internal'
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
  | { status: 'reading'; count: number }
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
    const onProgress = (count: number) => show({ status: 'reading', count })
    onProgress(0)
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
        <p className={styles.message}>{t('export.reading', { count: progress.count })}</p>
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

function Outcome({ file: { count, isCut, isSearching } }: { file: ActivityFile }) {
  const t = useT(enActivityTools)
  if (isCut) return t('export.cut', { count })
  return (
    <>
      <span>{t('export.done', { count })}</span>
      {isSearching && <span>{` ${t('export.searching')}`}</span>}
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
