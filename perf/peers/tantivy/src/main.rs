//! tantivy, as perf/peers/run.ts compares it: indexes titles and answers queries on one thread, each timed from its text to
//! its answer.
//!
//! `index DOCUMENTS FOLDER` reads lines of id, title and JSON with tabs between, merges all segments into one, and prints how
//! many they were and how many seconds that took, with a tab between.
//! `ask FOLDER QUERIES` reads texts, one a line; for each line "mode shape first end" on standard input it asks the texts
//! [first, end) and prints a line "count nanoseconds" for each. Titles and texts are tokens with blanks between.

use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::time::Instant;

use tantivy::collector::{Count, TopDocs};
use tantivy::index::SegmentId;
use tantivy::merge_policy::NoMergePolicy;
use tantivy::query::{BooleanQuery, FuzzyTermQuery, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions};
use tantivy::{DocAddress, Index, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, Term, doc};

type Outcome<T> = Result<T, Box<dyn Error>>;

const WRITER_BYTES: usize = 256 << 20;
const HITS: usize = 10;
/// A search in two steps corrects only when the first finds fewer.
const ENOUGH: usize = 10;
/// Code points from which one edit is allowed, and two.
const ONE_EDIT_LENGTH: usize = 4;
const TWO_EDITS_LENGTH: usize = 8;

fn schema() -> Schema {
    let mut builder = Schema::builder();
    builder.add_text_field("id", STRING);
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("whitespace")
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    builder.add_text_field("title", TextOptions::default().set_indexing_options(indexing));
    builder.add_text_field("json", TextOptions::from(STORED));
    builder.build()
}

fn index(documents: &str, folder: &str) -> Outcome<()> {
    fs::create_dir_all(folder)?;
    let schema = schema();
    let (id, title, json) = (schema.get_field("id")?, schema.get_field("title")?, schema.get_field("json")?);
    let index = Index::create_in_dir(folder, schema)?;
    let mut writer: IndexWriter = index.writer(WRITER_BYTES)?;
    for line in BufReader::new(File::open(documents)?).lines() {
        let line = line?;
        let mut parts = line.splitn(3, '\t');
        let mut next = || parts.next().ok_or("a line without three parts");
        writer.add_document(doc!(id => next()?, title => next()?, json => next()?))?;
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    let segments = index.searchable_segment_ids()?;
    let start = Instant::now();
    merge(&index, &segments)?;
    println!("{}\t{}", segments.len(), start.elapsed().as_secs_f64());
    Ok(())
}

fn merge(index: &Index, segments: &[SegmentId]) -> Outcome<()> {
    if segments.len() < 2 {
        return Ok(());
    }
    let mut writer: IndexWriter = index.writer(WRITER_BYTES)?;
    writer.set_merge_policy(Box::new(NoMergePolicy));
    writer.merge(segments).wait()?;
    writer.garbage_collect_files().wait()?;
    writer.wait_merging_threads()?;
    Ok(())
}

fn edits_of(token: &str) -> u8 {
    let length = token.chars().count();
    if token.chars().all(|letter| letter.is_ascii_digit()) || length < ONE_EDIT_LENGTH {
        0
    } else if length < TWO_EDITS_LENGTH {
        1
    } else {
        2
    }
}

/// Makes queries of texts.
struct Composer {
    title: Field,
}

impl Composer {
    fn term(&self, token: &str) -> Term {
        Term::from_field_text(self.title, token)
    }

    fn exact(&self, token: &str) -> Box<dyn Query> {
        Box::new(TermQuery::new(self.term(token), IndexRecordOption::WithFreqs))
    }

    /// All tokens as typed, the last one completed as well; with `corrects`, all corrected as well.
    fn lenient(&self, tokens: &[&str], corrects: bool) -> Box<dyn Query> {
        let clauses = tokens.iter().enumerate().map(|(at, token)| {
            let edits = if corrects { edits_of(token) } else { 0 };
            let wider: Box<dyn Query> = if at + 1 == tokens.len() {
                Box::new(FuzzyTermQuery::new_prefix(self.term(token), edits, true))
            } else if edits > 0 {
                Box::new(FuzzyTermQuery::new(self.term(token), edits, true))
            } else {
                return self.exact(token);
            };
            Box::new(BooleanQuery::union(vec![self.exact(token), wider])) as Box<dyn Query>
        });
        Box::new(BooleanQuery::intersection(clauses.collect()))
    }

    fn compose(&self, shape: &str, text: &str) -> Outcome<Box<dyn Query>> {
        let tokens: Vec<&str> = text.split(' ').collect();
        let exact = || tokens.iter().map(|token| self.exact(token)).collect();
        Ok(match shape {
            _ if shape == "corrected" => self.lenient(&tokens, true),
            _ if shape == "completed" => self.lenient(&tokens, false),
            _ if tokens.len() == 1 => self.exact(text),
            "all" => Box::new(BooleanQuery::intersection(exact())),
            "any" => Box::new(BooleanQuery::union(exact())),
            "phrase" => Box::new(PhraseQuery::new(tokens.iter().map(|token| self.term(token)).collect())),
            _ => return Err(format!("no such shape: {shape}").into()),
        })
    }
}

fn fetch(searcher: &Searcher, hits: &[(f32, DocAddress)]) -> Outcome<()> {
    for (_, address) in hits {
        black_box(searcher.doc::<TantivyDocument>(*address)?);
    }
    Ok(())
}

fn run(searcher: &Searcher, mode: &str, query: &dyn Query) -> Outcome<usize> {
    let top = || TopDocs::with_limit(HITS).order_by_score();
    Ok(match mode {
        "count" => searcher.search(query, &Count)?,
        "top" => black_box(searcher.search(query, &top())?).len(),
        "top, count" | "top, count+documents" => {
            let hits = black_box(searcher.search(query, &top())?);
            let count = searcher.search(query, &Count)?;
            if mode == "top, count+documents" {
                fetch(searcher, &hits)?;
            }
            count
        }
        "top+count" => black_box(searcher.search(query, &(top(), Count))?).1,
        "top+count+documents" => {
            let (hits, count) = searcher.search(query, &(top(), Count))?;
            fetch(searcher, &hits)?;
            count
        }
        _ => return Err(format!("no such mode: {mode}").into()),
    })
}

fn answer(searcher: &Searcher, composer: &Composer, mode: &str, shape: &str, text: &str) -> Outcome<usize> {
    if shape == "in two steps" {
        let count = run(searcher, mode, &*composer.compose("completed", text)?)?;
        if count >= ENOUGH {
            return Ok(count);
        }
        return run(searcher, mode, &*composer.compose("corrected", text)?);
    }
    run(searcher, mode, &*composer.compose(shape, text)?)
}

fn ask(folder: &str, queries: &str) -> Outcome<()> {
    let index = Index::open_in_dir(folder)?;
    let composer = Composer { title: index.schema().get_field("title")? };
    let searcher = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?.searcher();
    let texts: Vec<String> = BufReader::new(File::open(queries)?).lines().collect::<Result<_, _>>()?;
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let [mode, shape, first, end] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("not understood: {line}").into());
        };
        for text in &texts[first.parse()?..end.parse()?] {
            let start = Instant::now();
            let count = answer(&searcher, &composer, mode, shape, text)?;
            writeln!(out, "{count}\t{}", start.elapsed().as_nanos())?;
        }
        out.flush()?;
    }
    Ok(())
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["index", documents, folder] => index(documents, folder),
        ["ask", folder, queries] => ask(folder, queries),
        _ => Err("index DOCUMENTS FOLDER, or ask FOLDER QUERIES".into()),
    }
}
