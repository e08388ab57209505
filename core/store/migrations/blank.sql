CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);

CREATE TABLE audit (
	seq INTEGER NOT NULL, 
	at TEXT DEFAULT '' NOT NULL, 
	actor TEXT DEFAULT '' NOT NULL, 
	action TEXT DEFAULT '' NOT NULL, 
	project_id TEXT DEFAULT '' NOT NULL, 
	subject TEXT DEFAULT '' NOT NULL, 
	detail TEXT DEFAULT '' NOT NULL, 
	previous TEXT DEFAULT '' NOT NULL, 
	hash TEXT DEFAULT '' NOT NULL, rows TEXT DEFAULT '' NOT NULL, key_name TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_audit PRIMARY KEY (seq)
);

CREATE INDEX ix_audit_project_id_seq ON audit (project_id, seq);

CREATE TABLE audit_head (
	id INTEGER NOT NULL, 
	seq BIGINT NOT NULL, 
	hash TEXT DEFAULT '' NOT NULL, key_name TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_audit_head PRIMARY KEY (id)
);

CREATE TABLE projects (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	description TEXT DEFAULT '' NOT NULL, 
	created_at TEXT DEFAULT '' NOT NULL, 
	created_by TEXT DEFAULT '' NOT NULL, 
	sample BOOLEAN NOT NULL, 
	CONSTRAINT pk_projects PRIMARY KEY (seq), 
	CONSTRAINT uq_projects_id UNIQUE (id)
);

CREATE TABLE jobs (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT, 
	kind TEXT DEFAULT '' NOT NULL, 
	params JSON NOT NULL, 
	actor TEXT DEFAULT '' NOT NULL, 
	subject TEXT DEFAULT '' NOT NULL, 
	state TEXT DEFAULT '' NOT NULL, 
	attempts INTEGER NOT NULL, 
	stop_requested BOOLEAN NOT NULL, 
	error TEXT DEFAULT '' NOT NULL, 
	hint TEXT DEFAULT '' NOT NULL, 
	created_at TEXT DEFAULT '' NOT NULL, 
	started_at TEXT DEFAULT '' NOT NULL, 
	finished_at TEXT DEFAULT '' NOT NULL, 
	log TEXT DEFAULT '' NOT NULL, 
	stage TEXT DEFAULT '' NOT NULL, 
	done BIGINT NOT NULL, 
	total BIGINT NOT NULL, 
	stage_first BIGINT NOT NULL, 
	stage_since FLOAT NOT NULL, 
	reported FLOAT NOT NULL, 
	token TEXT DEFAULT '' NOT NULL, 
	host TEXT DEFAULT '' NOT NULL, 
	pid BIGINT NOT NULL, 
	born FLOAT NOT NULL, 
	heartbeat FLOAT NOT NULL, 
	CONSTRAINT pk_jobs PRIMARY KEY (seq), 
	CONSTRAINT fk_jobs_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT uq_jobs_id UNIQUE (id)
);

CREATE INDEX ix_jobs_project_id_seq ON jobs (project_id, seq);

CREATE INDEX ix_jobs_state ON jobs (state);

CREATE TABLE members (
	project_id TEXT NOT NULL, 
	actor TEXT NOT NULL, 
	role TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_members PRIMARY KEY (project_id, actor), 
	CONSTRAINT fk_members_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

CREATE TABLE sources (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT NOT NULL, 
	kind TEXT DEFAULT '' NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	location TEXT DEFAULT '' NOT NULL, 
	fingerprint TEXT DEFAULT '' NOT NULL, 
	schema JSON, 
	overrides JSON NOT NULL, 
	loaded_at TEXT DEFAULT '' NOT NULL, chunking JSON, layer JSON, 
	CONSTRAINT pk_sources PRIMARY KEY (seq), 
	CONSTRAINT fk_sources_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT uq_sources_id UNIQUE (id)
);

CREATE INDEX ix_sources_project_id_kind ON sources (project_id, kind);

CREATE TABLE sql_templates (
	seq INTEGER NOT NULL, 
	project_id TEXT NOT NULL, 
	id TEXT NOT NULL, 
	sql TEXT DEFAULT '' NOT NULL, 
	sql_with_ids TEXT DEFAULT '' NOT NULL, 
	tables JSON NOT NULL, 
	status TEXT DEFAULT '' NOT NULL, 
	origin TEXT DEFAULT '' NOT NULL, 
	checks JSON NOT NULL, 
	CONSTRAINT pk_sql_templates PRIMARY KEY (seq), 
	CONSTRAINT fk_sql_templates_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT uq_sql_templates_project_id_id UNIQUE (project_id, id)
);

CREATE TABLE test_sets (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	version INTEGER NOT NULL, 
	content_hash TEXT DEFAULT '' NOT NULL, 
	frozen_at TEXT DEFAULT '' NOT NULL, 
	options JSON NOT NULL, 
	counts JSON NOT NULL, 
	drops JSON NOT NULL, 
	CONSTRAINT pk_test_sets PRIMARY KEY (seq), 
	CONSTRAINT fk_test_sets_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT uq_test_sets_id UNIQUE (id), 
	CONSTRAINT uq_test_sets_project_id_name_version UNIQUE (project_id, name, version)
);

CREATE TABLE cases (
	seq INTEGER NOT NULL, 
	test_set_id TEXT NOT NULL, 
	case_id TEXT NOT NULL, 
	question TEXT DEFAULT '' NOT NULL, 
	reference_answers JSON NOT NULL, 
	reference_text TEXT DEFAULT '' NOT NULL, 
	form TEXT DEFAULT '' NOT NULL, 
	group_id TEXT DEFAULT '' NOT NULL, 
	sql TEXT DEFAULT '' NOT NULL, 
	sql_params JSON NOT NULL, 
	gold_document_ids JSON NOT NULL, 
	tables JSON NOT NULL, 
	attributes JSON NOT NULL, 
	sql_template_id TEXT DEFAULT '' NOT NULL, 
	text_template_id TEXT DEFAULT '' NOT NULL, 
	excluded TEXT DEFAULT '' NOT NULL, gold_chunk_ids JSON DEFAULT '[]' NOT NULL, 
	CONSTRAINT pk_cases PRIMARY KEY (seq), 
	CONSTRAINT fk_cases_test_set_id FOREIGN KEY(test_set_id) REFERENCES test_sets (id) ON DELETE CASCADE, 
	CONSTRAINT uq_cases_test_set_id_case_id UNIQUE (test_set_id, case_id)
);

CREATE INDEX ix_cases_test_set_id_excluded_form_seq ON cases (test_set_id, excluded, form, seq);

CREATE INDEX ix_cases_test_set_id_excluded_seq ON cases (test_set_id, excluded, seq);

CREATE INDEX ix_cases_test_set_id_sql_template_id ON cases (test_set_id, sql_template_id);

CREATE TABLE documents (
	seq INTEGER NOT NULL, 
	source_id TEXT NOT NULL, 
	id TEXT NOT NULL, 
	title TEXT DEFAULT '' NOT NULL, 
	text TEXT DEFAULT '' NOT NULL, 
	path TEXT DEFAULT '' NOT NULL, 
	format TEXT DEFAULT '' NOT NULL, 
	sha256 TEXT DEFAULT '' NOT NULL, pages JSON DEFAULT '[]' NOT NULL, outline JSON DEFAULT '[]' NOT NULL, metadata JSON DEFAULT '{}' NOT NULL, notes JSON DEFAULT '[]' NOT NULL, reader TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_documents PRIMARY KEY (seq), 
	CONSTRAINT fk_documents_source_id FOREIGN KEY(source_id) REFERENCES sources (id) ON DELETE CASCADE, 
	CONSTRAINT uq_documents_source_id_id UNIQUE (source_id, id)
);

CREATE TABLE runs (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT NOT NULL, 
	test_set_id TEXT NOT NULL, 
	target TEXT DEFAULT '' NOT NULL, 
	judge TEXT DEFAULT '' NOT NULL, 
	corpus_id TEXT, 
	state TEXT DEFAULT '' NOT NULL, 
	seed BIGINT NOT NULL, 
	job_id TEXT DEFAULT '' NOT NULL, 
	options JSON NOT NULL, 
	created_at TEXT DEFAULT '' NOT NULL, 
	created_by TEXT DEFAULT '' NOT NULL, 
	finished_at TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_runs PRIMARY KEY (seq), 
	CONSTRAINT fk_runs_corpus_id FOREIGN KEY(corpus_id) REFERENCES sources (id), 
	CONSTRAINT fk_runs_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT fk_runs_test_set_id FOREIGN KEY(test_set_id) REFERENCES test_sets (id), 
	CONSTRAINT uq_runs_id UNIQUE (id)
);

CREATE INDEX ix_runs_project_id_seq ON runs (project_id, seq);

CREATE INDEX ix_runs_test_set_id ON runs (test_set_id);

CREATE TABLE skipped_files (
	seq INTEGER NOT NULL, 
	source_id TEXT NOT NULL, 
	path TEXT DEFAULT '' NOT NULL, 
	reason TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_skipped_files PRIMARY KEY (seq), 
	CONSTRAINT fk_skipped_files_source_id FOREIGN KEY(source_id) REFERENCES sources (id) ON DELETE CASCADE
);

CREATE INDEX ix_skipped_files_source_id ON skipped_files (source_id);

CREATE TABLE text_templates (
	seq INTEGER NOT NULL, 
	project_id TEXT NOT NULL, 
	id TEXT NOT NULL, 
	sql_template_id TEXT NOT NULL, 
	form TEXT DEFAULT '' NOT NULL, 
	text TEXT DEFAULT '' NOT NULL, 
	status TEXT DEFAULT '' NOT NULL, 
	origin TEXT DEFAULT '' NOT NULL, 
	checks JSON NOT NULL, 
	CONSTRAINT pk_text_templates PRIMARY KEY (seq), 
	CONSTRAINT fk_text_templates_project_id_sql_template_id FOREIGN KEY(project_id, sql_template_id) REFERENCES sql_templates (project_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_text_templates_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT uq_text_templates_project_id_id UNIQUE (project_id, id)
);

CREATE INDEX ix_text_templates_project_id_sql_template_id_form ON text_templates (project_id, sql_template_id, form);

CREATE TABLE responses (
	run_id TEXT NOT NULL, 
	case_id TEXT NOT NULL, 
	answer TEXT, 
	contexts JSON NOT NULL, 
	abstained BOOLEAN, 
	latency_s FLOAT, 
	tokens BIGINT, 
	error TEXT DEFAULT '' NOT NULL, 
	failed BOOLEAN NOT NULL, 
	CONSTRAINT pk_responses PRIMARY KEY (run_id, case_id), 
	CONSTRAINT fk_responses_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE
);

CREATE INDEX ix_responses_run_id_failed ON responses (run_id, failed);

CREATE TABLE scores (
	run_id TEXT NOT NULL, 
	case_id TEXT NOT NULL, 
	metric TEXT NOT NULL, 
	value FLOAT, 
	status TEXT DEFAULT '' NOT NULL, 
	detail JSON NOT NULL, edited BOOLEAN DEFAULT 0 NOT NULL, generation INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_scores PRIMARY KEY (run_id, case_id, metric), 
	CONSTRAINT fk_scores_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE
);

CREATE INDEX ix_scores_run_id_metric_value_case_id_status_edited ON scores (run_id, metric, value, case_id, status, edited);

CREATE TABLE score_edits (
	seq INTEGER NOT NULL, 
	run_id TEXT NOT NULL, 
	case_id TEXT NOT NULL, 
	metric TEXT NOT NULL, 
	before_value FLOAT, 
	before_status TEXT DEFAULT '' NOT NULL, 
	before_edited BOOLEAN NOT NULL, 
	value FLOAT, 
	status TEXT DEFAULT '' NOT NULL, 
	reason TEXT DEFAULT '' NOT NULL, 
	actor TEXT DEFAULT '' NOT NULL, 
	at TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_score_edits PRIMARY KEY (seq), 
	CONSTRAINT fk_score_edits_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE
);

CREATE INDEX ix_score_edits_run_id_case_id_metric ON score_edits (run_id, case_id, metric);

CREATE TABLE run_metrics (
	run_id TEXT NOT NULL, 
	metric TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	options JSON NOT NULL, 
	finished BOOLEAN NOT NULL, 
	scored_at TEXT DEFAULT '' NOT NULL, 
	scored_by TEXT DEFAULT '' NOT NULL, generation INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_run_metrics PRIMARY KEY (run_id, metric), 
	CONSTRAINT fk_run_metrics_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE
);

CREATE TABLE encodings (
	project_id TEXT NOT NULL, 
	model TEXT NOT NULL, 
	text_hash BLOB NOT NULL, 
	vector BLOB NOT NULL, 
	CONSTRAINT pk_encodings PRIMARY KEY (project_id, model, text_hash), 
	CONSTRAINT fk_encodings_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

CREATE TABLE score_columns (
	run_id TEXT NOT NULL, 
	metric TEXT NOT NULL, 
	"values" BLOB NOT NULL, 
	CONSTRAINT pk_score_columns PRIMARY KEY (run_id, metric), 
	CONSTRAINT fk_score_columns_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE
);

CREATE TABLE criteria (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	question TEXT DEFAULT '' NOT NULL, 
	kind TEXT DEFAULT '' NOT NULL, 
	levels JSON NOT NULL, 
	accept_from INTEGER NOT NULL, 
	rule TEXT DEFAULT '' NOT NULL, 
	guidelines TEXT DEFAULT '' NOT NULL, 
	position INTEGER NOT NULL, 
	retired BOOLEAN NOT NULL, 
	created_at TEXT DEFAULT '' NOT NULL, 
	created_by TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_criteria PRIMARY KEY (seq), 
	CONSTRAINT fk_criteria_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT uq_criteria_id UNIQUE (id), 
	CONSTRAINT uq_criteria_project_id_name UNIQUE (project_id, name)
);

CREATE TABLE adjudications (
	run_id TEXT NOT NULL, 
	case_id TEXT NOT NULL, 
	criterion_id TEXT NOT NULL, 
	value FLOAT, 
	reason TEXT DEFAULT '' NOT NULL, 
	actor TEXT DEFAULT '' NOT NULL, 
	at TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_adjudications PRIMARY KEY (run_id, case_id, criterion_id), 
	CONSTRAINT fk_adjudications_criterion_id FOREIGN KEY(criterion_id) REFERENCES criteria (id) ON DELETE CASCADE, 
	CONSTRAINT fk_adjudications_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE
);

CREATE TABLE calibrations (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT NOT NULL, 
	run_id TEXT NOT NULL, 
	criterion_id TEXT NOT NULL, 
	options JSON NOT NULL, 
	report JSON NOT NULL, 
	probabilities BLOB NOT NULL, 
	sets BLOB NOT NULL, 
	created_at TEXT DEFAULT '' NOT NULL, 
	created_by TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_calibrations PRIMARY KEY (seq), 
	CONSTRAINT fk_calibrations_criterion_id FOREIGN KEY(criterion_id) REFERENCES criteria (id) ON DELETE CASCADE, 
	CONSTRAINT fk_calibrations_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT fk_calibrations_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE, 
	CONSTRAINT uq_calibrations_id UNIQUE (id)
);

CREATE INDEX ix_calibrations_run_id_seq ON calibrations (run_id, seq);

CREATE TABLE label_rounds (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT NOT NULL, 
	run_id TEXT NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	criteria JSON NOT NULL, 
	raters JSON NOT NULL, 
	origin TEXT DEFAULT '' NOT NULL, 
	overlap INTEGER NOT NULL, 
	overlap_share FLOAT NOT NULL, 
	repeat_share FLOAT NOT NULL, 
	show_reference BOOLEAN NOT NULL, 
	seed BIGINT NOT NULL, 
	design JSON NOT NULL, 
	closed BOOLEAN NOT NULL, 
	created_at TEXT DEFAULT '' NOT NULL, 
	created_by TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_label_rounds PRIMARY KEY (seq), 
	CONSTRAINT fk_label_rounds_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT fk_label_rounds_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE, 
	CONSTRAINT uq_label_rounds_id UNIQUE (id)
);

CREATE INDEX ix_label_rounds_project_id_seq ON label_rounds (project_id, seq);

CREATE INDEX ix_label_rounds_run_id ON label_rounds (run_id);

CREATE TABLE label_items (
	round_id TEXT NOT NULL, 
	case_id TEXT NOT NULL, 
	part TEXT DEFAULT '' NOT NULL, 
	stratum TEXT DEFAULT '' NOT NULL, 
	probability FLOAT NOT NULL, 
	gold JSON NOT NULL, 
	explanation TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_label_items PRIMARY KEY (round_id, case_id), 
	CONSTRAINT fk_label_items_round_id FOREIGN KEY(round_id) REFERENCES label_rounds (id) ON DELETE CASCADE
);

CREATE TABLE label_tasks (
	round_id TEXT NOT NULL, 
	rater TEXT NOT NULL, 
	case_id TEXT NOT NULL, 
	occurrence INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	part TEXT DEFAULT '' NOT NULL, 
	skipped INTEGER NOT NULL, 
	done_at TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_label_tasks PRIMARY KEY (round_id, rater, case_id, occurrence), 
	CONSTRAINT fk_label_tasks_round_id FOREIGN KEY(round_id) REFERENCES label_rounds (id) ON DELETE CASCADE
);

CREATE TABLE labels (
	round_id TEXT NOT NULL, 
	case_id TEXT NOT NULL, 
	criterion_id TEXT NOT NULL, 
	rater TEXT NOT NULL, 
	occurrence INTEGER NOT NULL, 
	value FLOAT, 
	status TEXT DEFAULT '' NOT NULL, 
	comment TEXT DEFAULT '' NOT NULL, 
	spans JSON NOT NULL, 
	seconds FLOAT NOT NULL, 
	at TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_labels PRIMARY KEY (round_id, case_id, criterion_id, rater, occurrence), 
	CONSTRAINT fk_labels_criterion_id FOREIGN KEY(criterion_id) REFERENCES criteria (id) ON DELETE CASCADE, 
	CONSTRAINT fk_labels_round_id FOREIGN KEY(round_id) REFERENCES label_rounds (id) ON DELETE CASCADE
);

CREATE INDEX ix_labels_criterion_id_round_id ON labels (criterion_id, round_id);

CREATE TABLE endpoints (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	base_url TEXT DEFAULT '' NOT NULL, 
	key_env TEXT DEFAULT '' NOT NULL, 
	headers JSON NOT NULL, 
	api_version TEXT DEFAULT '' NOT NULL, 
	ca_bundle TEXT DEFAULT '' NOT NULL, 
	proxy TEXT DEFAULT '' NOT NULL, 
	timeout_s FLOAT NOT NULL, 
	deadline_s FLOAT NOT NULL, 
	concurrency INTEGER NOT NULL, 
	structured TEXT DEFAULT '' NOT NULL, 
	created_at TEXT DEFAULT '' NOT NULL, 
	created_by TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_endpoints PRIMARY KEY (seq), 
	CONSTRAINT fk_endpoints_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT uq_endpoints_id UNIQUE (id), 
	CONSTRAINT uq_endpoints_project_id_name UNIQUE (project_id, name)
);

CREATE TABLE llm_calls (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT, 
	"key" TEXT DEFAULT '' NOT NULL, 
	endpoint TEXT DEFAULT '' NOT NULL, 
	model TEXT DEFAULT '' NOT NULL, 
	parameters JSON NOT NULL, 
	messages JSON NOT NULL, 
	sample INTEGER NOT NULL, 
	purpose TEXT DEFAULT '' NOT NULL, 
	prompt_id TEXT DEFAULT '' NOT NULL, 
	prompt_version TEXT DEFAULT '' NOT NULL, 
	prompt_hash TEXT DEFAULT '' NOT NULL, 
	state TEXT DEFAULT '' NOT NULL, 
	reply TEXT DEFAULT '' NOT NULL, 
	finish_reason TEXT DEFAULT '' NOT NULL, 
	error TEXT DEFAULT '' NOT NULL, 
	prompt_tokens BIGINT, 
	completion_tokens BIGINT, 
	cost FLOAT, 
	latency_s FLOAT NOT NULL, 
	attempts INTEGER NOT NULL, 
	at TEXT DEFAULT '' NOT NULL, reasoning TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_llm_calls PRIMARY KEY (seq), 
	CONSTRAINT fk_llm_calls_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT uq_llm_calls_id UNIQUE (id)
);

CREATE INDEX ix_llm_calls_key_state ON llm_calls ("key", state);

CREATE INDEX ix_llm_calls_project_id_purpose_seq ON llm_calls (project_id, purpose, seq);

CREATE TABLE model_prices (
	project_id TEXT NOT NULL, 
	model TEXT NOT NULL, 
	input_per_million TEXT DEFAULT '' NOT NULL, 
	output_per_million TEXT DEFAULT '' NOT NULL, 
	currency TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_model_prices PRIMARY KEY (project_id, model), 
	CONSTRAINT fk_model_prices_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

CREATE TABLE prompt_versions (
	seq INTEGER NOT NULL, 
	project_id TEXT NOT NULL, 
	prompt_id TEXT NOT NULL, 
	version TEXT NOT NULL, 
	text TEXT DEFAULT '' NOT NULL, 
	hash TEXT DEFAULT '' NOT NULL, 
	note TEXT DEFAULT '' NOT NULL, 
	in_use BOOLEAN NOT NULL, 
	created_at TEXT DEFAULT '' NOT NULL, 
	created_by TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_prompt_versions PRIMARY KEY (seq), 
	CONSTRAINT fk_prompt_versions_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT uq_prompt_versions_project_id_prompt_id_version UNIQUE (project_id, prompt_id, version)
);

CREATE TABLE llm_uses (
	seq INTEGER NOT NULL, 
	project_id TEXT, 
	call_id TEXT NOT NULL, 
	run_id TEXT, 
	case_id TEXT DEFAULT '' NOT NULL, 
	purpose TEXT DEFAULT '' NOT NULL, 
	cached BOOLEAN NOT NULL, 
	at TEXT DEFAULT '' NOT NULL, job_id TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_llm_uses PRIMARY KEY (seq), 
	CONSTRAINT fk_llm_uses_call_id FOREIGN KEY(call_id) REFERENCES llm_calls (id) ON DELETE CASCADE, 
	CONSTRAINT fk_llm_uses_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT fk_llm_uses_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE
);

CREATE INDEX ix_llm_uses_call_id ON llm_uses (call_id);

CREATE INDEX ix_llm_uses_project_id_seq ON llm_uses (project_id, seq);

CREATE INDEX ix_llm_uses_run_id_case_id_purpose ON llm_uses (run_id, case_id, purpose);

CREATE INDEX ix_llm_uses_job_id ON llm_uses (job_id);

CREATE TABLE chunks (
	seq INTEGER NOT NULL, 
	source_id TEXT NOT NULL, 
	id TEXT NOT NULL, 
	document_id TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	text TEXT DEFAULT '' NOT NULL, 
	section JSON NOT NULL, 
	page INTEGER, 
	start INTEGER NOT NULL, 
	"end" INTEGER NOT NULL, 
	CONSTRAINT pk_chunks PRIMARY KEY (seq), 
	CONSTRAINT fk_chunks_source_id_document_id FOREIGN KEY(source_id, document_id) REFERENCES documents (source_id, id) ON DELETE CASCADE, 
	CONSTRAINT uq_chunks_source_id_id UNIQUE (source_id, id)
);

CREATE INDEX ix_chunks_source_id_document_id ON chunks (source_id, document_id);

CREATE TABLE topic_models (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT NOT NULL, 
	source_id TEXT DEFAULT '' NOT NULL, 
	settings JSON NOT NULL, 
	fingerprint TEXT DEFAULT '' NOT NULL, 
	content_hash TEXT DEFAULT '' NOT NULL, 
	versions JSON NOT NULL, 
	chunks INTEGER NOT NULL, 
	quality JSON NOT NULL, 
	created_at TEXT DEFAULT '' NOT NULL, 
	created_by TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_topic_models PRIMARY KEY (seq), 
	CONSTRAINT fk_topic_models_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT uq_topic_models_id UNIQUE (id)
);

CREATE INDEX ix_topic_models_project_id_seq ON topic_models (project_id, seq);

CREATE TABLE topics (
	seq INTEGER NOT NULL, 
	model_id TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	size INTEGER NOT NULL, 
	documents INTEGER NOT NULL, 
	alike FLOAT, 
	terms JSON NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	named_by TEXT DEFAULT '' NOT NULL, 
	dropped BOOLEAN NOT NULL, 
	coherence FLOAT, 
	examples JSON NOT NULL, 
	CONSTRAINT pk_topics PRIMARY KEY (seq), 
	CONSTRAINT fk_topics_model_id FOREIGN KEY(model_id) REFERENCES topic_models (id) ON DELETE CASCADE, 
	CONSTRAINT uq_topics_model_id_number UNIQUE (model_id, number)
);

CREATE TABLE topic_chunks (
	seq INTEGER NOT NULL, 
	model_id TEXT NOT NULL, 
	chunk_id TEXT NOT NULL, 
	found INTEGER NOT NULL, 
	topic INTEGER NOT NULL, 
	strength FLOAT NOT NULL, 
	x FLOAT NOT NULL, 
	y FLOAT NOT NULL, 
	reduced BLOB NOT NULL, 
	CONSTRAINT pk_topic_chunks PRIMARY KEY (seq), 
	CONSTRAINT fk_topic_chunks_model_id FOREIGN KEY(model_id) REFERENCES topic_models (id) ON DELETE CASCADE, 
	CONSTRAINT uq_topic_chunks_model_id_chunk_id UNIQUE (model_id, chunk_id)
);

CREATE INDEX ix_topic_chunks_model_id_topic ON topic_chunks (model_id, topic);

CREATE TABLE topic_edits (
	seq INTEGER NOT NULL, 
	model_id TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	edit JSON NOT NULL, 
	CONSTRAINT pk_topic_edits PRIMARY KEY (seq), 
	CONSTRAINT fk_topic_edits_model_id FOREIGN KEY(model_id) REFERENCES topic_models (id) ON DELETE CASCADE, 
	CONSTRAINT uq_topic_edits_model_id_number UNIQUE (model_id, number)
);

CREATE TABLE question_batches (
	seq INTEGER NOT NULL, 
	project_id TEXT NOT NULL, 
	id TEXT NOT NULL, 
	source_id TEXT DEFAULT '' NOT NULL, 
	topics_id TEXT DEFAULT '' NOT NULL, 
	created_at TEXT DEFAULT '' NOT NULL, 
	"plan" JSON NOT NULL, 
	delivered JSON NOT NULL, 
	CONSTRAINT pk_question_batches PRIMARY KEY (seq), 
	CONSTRAINT fk_question_batches_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT uq_question_batches_project_id_id UNIQUE (project_id, id)
);

CREATE TABLE question_drafts (
	seq INTEGER NOT NULL, 
	project_id TEXT NOT NULL, 
	id TEXT NOT NULL, 
	batch_id TEXT NOT NULL, 
	kind TEXT DEFAULT '' NOT NULL, 
	text TEXT DEFAULT '' NOT NULL, 
	reference TEXT DEFAULT '' NOT NULL, 
	support JSON NOT NULL, 
	options JSON NOT NULL, 
	made_by TEXT DEFAULT '' NOT NULL, 
	near_chunk_id TEXT DEFAULT '' NOT NULL, 
	topic INTEGER NOT NULL, 
	value TEXT DEFAULT '' NOT NULL, 
	failed TEXT DEFAULT '' NOT NULL, 
	reason TEXT DEFAULT '' NOT NULL, 
	similarity FLOAT, 
	copied FLOAT, 
	duplicate_of TEXT DEFAULT '' NOT NULL, 
	probed TEXT DEFAULT '' NOT NULL, 
	status TEXT DEFAULT '' NOT NULL, 
	decided_by TEXT DEFAULT '' NOT NULL, 
	decided_at TEXT DEFAULT '' NOT NULL, 
	note TEXT DEFAULT '' NOT NULL, 
	original_text TEXT DEFAULT '' NOT NULL, 
	original_reference TEXT DEFAULT '' NOT NULL, nearest FLOAT, answered BOOLEAN, known BOOLEAN, 
	CONSTRAINT pk_question_drafts PRIMARY KEY (seq), 
	CONSTRAINT fk_question_drafts_project_id_batch_id FOREIGN KEY(project_id, batch_id) REFERENCES question_batches (project_id, id) ON DELETE CASCADE, 
	CONSTRAINT uq_question_drafts_project_id_id UNIQUE (project_id, id)
);

CREATE INDEX ix_question_drafts_project_id_status_seq ON question_drafts (project_id, status, seq);

CREATE INDEX ix_question_drafts_project_id_batch_id ON question_drafts (project_id, batch_id);

CREATE TABLE findings (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT NOT NULL, 
	run_id TEXT NOT NULL, 
	kind TEXT DEFAULT '' NOT NULL, 
	score TEXT DEFAULT '' NOT NULL, 
	conditions JSON NOT NULL, 
	text TEXT DEFAULT '' NOT NULL, 
	figures JSON NOT NULL, 
	case_ids JSON NOT NULL, 
	severity TEXT DEFAULT '' NOT NULL, 
	status TEXT DEFAULT '' NOT NULL, 
	owner TEXT DEFAULT '' NOT NULL, 
	comment TEXT DEFAULT '' NOT NULL, 
	options JSON NOT NULL, 
	gone BOOLEAN NOT NULL, 
	created_at TEXT DEFAULT '' NOT NULL, 
	created_by TEXT DEFAULT '' NOT NULL, 
	changed_at TEXT DEFAULT '' NOT NULL, 
	changed_by TEXT DEFAULT '' NOT NULL, thread TEXT DEFAULT '' NOT NULL, title TEXT DEFAULT '' NOT NULL, due TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_findings PRIMARY KEY (seq), 
	CONSTRAINT fk_findings_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT fk_findings_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE, 
	CONSTRAINT uq_findings_id UNIQUE (id)
);

CREATE INDEX ix_findings_run_id_seq ON findings (run_id, seq);

CREATE INDEX ix_findings_project_id_status ON findings (project_id, status);

CREATE TABLE versions (
	project_id TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	run_id TEXT NOT NULL, 
	number BIGINT NOT NULL, 
	CONSTRAINT pk_versions PRIMARY KEY (project_id, kind, run_id)
);

CREATE TABLE document_mappings (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT NOT NULL, 
	way TEXT DEFAULT '' NOT NULL, 
	rules JSON NOT NULL, 
	matches JSON NOT NULL, 
	records INTEGER NOT NULL, 
	matched INTEGER NOT NULL, 
	database_id TEXT DEFAULT '' NOT NULL, 
	database_fingerprint TEXT DEFAULT '' NOT NULL, 
	corpus_id TEXT DEFAULT '' NOT NULL, 
	corpus_fingerprint TEXT DEFAULT '' NOT NULL, 
	created_at TEXT DEFAULT '' NOT NULL, 
	created_by TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_document_mappings PRIMARY KEY (seq), 
	CONSTRAINT fk_document_mappings_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT uq_document_mappings_id UNIQUE (id)
);

CREATE INDEX ix_document_mappings_project_id_seq ON document_mappings (project_id, seq);

CREATE TABLE fact_evidence (
	run_id TEXT NOT NULL, 
	group_id TEXT NOT NULL, 
	"key" BLOB NOT NULL, 
	corpus_id TEXT DEFAULT '' NOT NULL, 
	evidence TEXT DEFAULT '' NOT NULL, 
	document_id TEXT DEFAULT '' NOT NULL, 
	passage TEXT DEFAULT '' NOT NULL, 
	document_ids JSON NOT NULL, 
	other_value TEXT DEFAULT '' NOT NULL, 
	in_context JSON NOT NULL, 
	CONSTRAINT pk_fact_evidence PRIMARY KEY (run_id, group_id), 
	CONSTRAINT fk_fact_evidence_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE
);

CREATE TABLE trial_answers (
	project_id TEXT NOT NULL, 
	set_up TEXT NOT NULL, 
	copy TEXT NOT NULL, 
	case_id TEXT NOT NULL, 
	response JSON NOT NULL, 
	CONSTRAINT pk_trial_answers PRIMARY KEY (project_id, set_up, copy, case_id), 
	CONSTRAINT fk_trial_answers_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

CREATE TABLE audit_rows (
	seq BIGINT NOT NULL, 
	kind TEXT NOT NULL, 
	owner TEXT NOT NULL, 
	part INTEGER NOT NULL, 
	columns TEXT DEFAULT '' NOT NULL, 
	cleared BOOLEAN NOT NULL, 
	count INTEGER NOT NULL, 
	keys BLOB NOT NULL, 
	digests BLOB NOT NULL, 
	CONSTRAINT pk_audit_rows PRIMARY KEY (seq, kind, owner, part)
);

CREATE INDEX ix_audit_rows_kind_owner_seq ON audit_rows (kind, owner, seq);

CREATE TABLE model_profiles (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT, 
	base_url TEXT DEFAULT '' NOT NULL, 
	model TEXT DEFAULT '' NOT NULL, 
	api_version TEXT DEFAULT '' NOT NULL, 
	found JSON NOT NULL, 
	edits JSON NOT NULL, 
	grounds JSON NOT NULL, 
	probed_at TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_model_profiles PRIMARY KEY (seq), 
	CONSTRAINT fk_model_profiles_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT uq_model_profiles_id UNIQUE (id)
);

CREATE INDEX ix_model_profiles_project_id ON model_profiles (project_id);

CREATE TABLE judge_test_runs (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT NOT NULL, 
	judge TEXT DEFAULT '' NOT NULL, 
	suite TEXT DEFAULT '' NOT NULL, 
	suite_hash TEXT DEFAULT '' NOT NULL, 
	part TEXT DEFAULT '' NOT NULL, 
	way TEXT DEFAULT '' NOT NULL, 
	repeats INTEGER NOT NULL, 
	prompts JSON NOT NULL, 
	tests JSON NOT NULL, 
	created_at TEXT DEFAULT '' NOT NULL, 
	created_by TEXT DEFAULT '' NOT NULL, 
	finished_at TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_judge_test_runs PRIMARY KEY (seq), 
	CONSTRAINT fk_judge_test_runs_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT uq_judge_test_runs_id UNIQUE (id)
);

CREATE INDEX ix_judge_test_runs_project_id_seq ON judge_test_runs (project_id, seq);

CREATE TABLE judge_test_outcomes (
	test_run_id TEXT NOT NULL, 
	test_id TEXT NOT NULL, 
	draw INTEGER NOT NULL, 
	judged JSON NOT NULL, 
	CONSTRAINT pk_judge_test_outcomes PRIMARY KEY (test_run_id, test_id, draw), 
	CONSTRAINT fk_judge_test_outcomes_test_run_id FOREIGN KEY(test_run_id) REFERENCES judge_test_runs (id) ON DELETE CASCADE
);

CREATE TABLE judge_bars (
	project_id TEXT NOT NULL, 
	least FLOAT NOT NULL, 
	lower BOOLEAN NOT NULL, 
	judged FLOAT NOT NULL, 
	CONSTRAINT pk_judge_bars PRIMARY KEY (project_id), 
	CONSTRAINT fk_judge_bars_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

CREATE TABLE safety_settings (
	project_id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	settings JSON NOT NULL, 
	changed_at TEXT DEFAULT '' NOT NULL, 
	changed_by TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_safety_settings PRIMARY KEY (project_id, name), 
	CONSTRAINT fk_safety_settings_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

CREATE TABLE safety_results (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT NOT NULL, 
	run_id TEXT NOT NULL, 
	made_from JSON NOT NULL, 
	result JSON NOT NULL, 
	created_at TEXT DEFAULT '' NOT NULL, 
	created_by TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_safety_results PRIMARY KEY (seq), 
	CONSTRAINT fk_safety_results_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT fk_safety_results_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE, 
	CONSTRAINT uq_safety_results_id UNIQUE (id)
);

CREATE INDEX ix_safety_results_run_id_seq ON safety_results (run_id, seq);

CREATE TABLE project_profiles (
	project_id TEXT NOT NULL, 
	purpose TEXT DEFAULT '' NOT NULL, 
	scope TEXT DEFAULT '' NOT NULL, 
	intended_use TEXT DEFAULT '' NOT NULL, 
	system JSON NOT NULL, 
	users TEXT DEFAULT '' NOT NULL, 
	risks JSON NOT NULL, 
	changed_at TEXT DEFAULT '' NOT NULL, 
	changed_by TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_project_profiles PRIMARY KEY (project_id), 
	CONSTRAINT fk_project_profiles_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

CREATE TABLE acceptance_criteria (
	seq INTEGER NOT NULL, 
	project_id TEXT NOT NULL, 
	id TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	metric TEXT DEFAULT '' NOT NULL, 
	bound TEXT DEFAULT '' NOT NULL, 
	threshold FLOAT NOT NULL, 
	direction TEXT DEFAULT '' NOT NULL, 
	note TEXT DEFAULT '' NOT NULL, 
	set_at TEXT DEFAULT '' NOT NULL, 
	set_by TEXT DEFAULT '' NOT NULL, 
	reason TEXT DEFAULT '' NOT NULL, 
	locked_at TEXT DEFAULT '' NOT NULL, 
	locked_by TEXT DEFAULT '' NOT NULL, 
	removed BOOLEAN NOT NULL, 
	CONSTRAINT pk_acceptance_criteria PRIMARY KEY (seq), 
	CONSTRAINT fk_acceptance_criteria_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT uq_acceptance_criteria_project_id_id_version UNIQUE (project_id, id, version)
);

CREATE TABLE finding_retests (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT NOT NULL, 
	thread TEXT DEFAULT '' NOT NULL, 
	run_id TEXT NOT NULL, 
	against TEXT DEFAULT '' NOT NULL, 
	outcome TEXT DEFAULT '' NOT NULL, 
	"before" JSON, 
	"after" JSON, 
	change JSON, 
	deficit JSON, 
	paired INTEGER NOT NULL, 
	reason TEXT DEFAULT '' NOT NULL, 
	created_at TEXT DEFAULT '' NOT NULL, 
	created_by TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_finding_retests PRIMARY KEY (seq), 
	CONSTRAINT fk_finding_retests_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT fk_finding_retests_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE, 
	CONSTRAINT uq_finding_retests_project_id_id UNIQUE (project_id, id)
);

CREATE INDEX ix_finding_retests_project_id_thread ON finding_retests (project_id, thread);

CREATE TABLE report_snapshots (
	seq INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	project_id TEXT NOT NULL, 
	run_id TEXT NOT NULL, 
	calibration_id TEXT DEFAULT '' NOT NULL, 
	title TEXT DEFAULT '' NOT NULL, 
	content TEXT DEFAULT '' NOT NULL, 
	sha256 TEXT DEFAULT '' NOT NULL, 
	marks JSON NOT NULL, 
	created_at TEXT DEFAULT '' NOT NULL, 
	created_by TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_report_snapshots PRIMARY KEY (seq), 
	CONSTRAINT fk_report_snapshots_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT fk_report_snapshots_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE, 
	CONSTRAINT uq_report_snapshots_id UNIQUE (id)
);

CREATE INDEX ix_report_snapshots_project_id_seq ON report_snapshots (project_id, seq);

CREATE TABLE report_comments (
	seq INTEGER NOT NULL, 
	project_id TEXT NOT NULL, 
	run_id TEXT NOT NULL, 
	section TEXT DEFAULT '' NOT NULL, 
	text TEXT DEFAULT '' NOT NULL, 
	at TEXT DEFAULT '' NOT NULL, 
	"by" TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_report_comments PRIMARY KEY (seq), 
	CONSTRAINT fk_report_comments_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE, 
	CONSTRAINT fk_report_comments_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE
);

CREATE INDEX ix_report_comments_run_id_section ON report_comments (run_id, section);

INSERT INTO "alembic_version" VALUES ('0024');

INSERT INTO "audit_head" VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000', '')