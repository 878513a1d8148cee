/** Files that leave the page and come to it. */

import { at, blob, postFile } from '../net/api';
import type { ImportedFile } from '../types.gen';

/** The words for a format: what it is, and for whom. */
export interface Format {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly suffix: string;
  /** Whether the file has the clips of the voice. */
  readonly clips?: boolean;
  /** Whether the file is of one moment. */
  readonly moment?: boolean;
}

const FORMATS: Record<string, Omit<Format, 'id'>> = {
  html: { title: 'This page', about: 'One file that opens without a server or a network', suffix: '.html' },
  jsonl: { title: 'The record', about: 'Every event, as one line of JSON', suffix: '.jsonl' },
  parquet: { title: 'The decisions', about: 'A table for analysis, one row per decision', suffix: '.parquet' },
  markdown: { title: 'The report', about: 'Markdown, for a document or a discussion', suffix: '.md', moment: true },
  report: { title: 'The report as data', about: 'JSON, each figure with its interval', suffix: '.json', moment: true },
  rows: { title: 'The rows of its tables', about: 'Parquet, one value per row', suffix: '.parquet', moment: true },
  'saved-game': { title: 'A saved game', about: 'For the programs of Diplomacy players', suffix: '.json' },
  cricsheet: { title: 'Cricsheet', about: 'Ball by ball, for the programs of cricket analysts', suffix: '.json' },
  tactics: { title: 'The tactics', about: 'The captains’ calls, beside the Cricsheet file', suffix: '.json' },
};

const VOICED: Format = {
  id: 'html',
  title: 'The page with its voice',
  about: 'One larger file that is read aloud without a network',
  suffix: '.html',
  clips: true,
};

/** The formats of a campaign. */
export const OF_CAMPAIGN: readonly string[] = ['html', 'markdown', 'report', 'rows', 'jsonl'];

/** Return the formats in the order in which they are offered; one without words is offered by its name. */
export function offered(formats: readonly string[], voiced: boolean): Format[] {
  const others = formats
    .filter((id) => id !== 'html')
    .map((id) => ({ id, ...(FORMATS[id] ?? { title: id, about: '', suffix: '.json' }) }));
  const page = FORMATS['html'] && formats.includes('html') ? [{ id: 'html', ...FORMATS['html'] }] : [];
  return [...page, ...(voiced && page.length ? [VOICED] : []), ...others];
}

/** Save an episode, or what it shows at `seq`, as `as` may know it, as a file of the user's. Rejects with an ApiError. */
export async function takeAway(id: string, as: string, format: Format, seq: number | null): Promise<void> {
  const query = new URLSearchParams({ as, ...(format.clips && { clips: 'true' }) });
  if (format.moment && seq !== null) query.set('seq', String(seq));
  const content = await blob(`${at(id)}/export/${format.id}?${query}`);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = `${id}${format.suffix}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Import a file. Rejects with an ApiError. */
export const bring = (file: File): Promise<ImportedFile> =>
  postFile<ImportedFile>(`/api/imports?${new URLSearchParams({ name: file.name.slice(0, 200) })}`, file);
