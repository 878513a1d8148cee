/** The paces that users can choose: seconds between turns. */
export const PACES: readonly { seconds: number; title: string }[] = [
  { seconds: 0, title: 'Full speed' },
  { seconds: 0.5, title: '0.5 s a turn' },
  { seconds: 1, title: '1 s a turn' },
  { seconds: 2.5, title: '2.5 s a turn' },
  { seconds: 5, title: '5 s a turn' },
  { seconds: 15, title: '15 s a turn' },
  { seconds: 60, title: '60 s a turn' },
];
