package oracle

import (
	"bytes"
	"encoding/json"
	"os"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/apache/yunikorn-core/pkg/common"
	"github.com/apache/yunikorn-core/pkg/common/configs"
	"github.com/apache/yunikorn-core/pkg/entrypoint"
	"github.com/apache/yunikorn-core/pkg/log"
	"github.com/apache/yunikorn-core/pkg/scheduler"
	siCommon "github.com/apache/yunikorn-scheduler-interface/lib/go/common"
	"github.com/apache/yunikorn-scheduler-interface/lib/go/si"
)

const managerID = "rm:1"

// TestPlay plays the scenario in the file ORACLE_IN and writes to ORACLE_OUT what happened; ORACLE_CORE names the core.
func TestPlay(t *testing.T) {
	given, written := os.Getenv("ORACLE_IN"), os.Getenv("ORACLE_OUT")
	if given == "" {
		t.Skip("no ORACLE_IN")
	}
	text, err := os.ReadFile(given)
	if err != nil {
		t.Fatal(err)
	}
	var scenario Scenario
	reader := json.NewDecoder(bytes.NewReader(text))
	reader.DisallowUnknownFields()
	if err := reader.Decode(&scenario); err != nil {
		t.Fatal(err)
	}
	log.UpdateLoggingConfig(map[string]string{"log.level": "FATAL"})
	synctest.Test(t, func(t *testing.T) {
		text, err := json.Marshal(play(&scenario))
		if err == nil {
			err = os.WriteFile(written, text, 0o644)
		}
		if err != nil {
			panic(err)
		}
		os.Exit(0) // the core's own goroutines never end
	})
}

// player is one scenario under way.
type player struct {
	recording *Recording
	pace      Pace
	confirms  bool
	started   time.Time
	services  *entrypoint.ServiceContext
	manager   *manager
}

func play(scenario *Scenario) *Recording {
	p := &player{
		recording: &Recording{Scenario: scenario.Name, Core: os.Getenv("ORACLE_CORE"), Trace: []Item{}},
		pace:      Pace{MessageNS: int64(time.Millisecond), CycleNS: int64(100 * time.Millisecond)},
		confirms:  scenario.ConfirmReleases == nil || *scenario.ConfirmReleases,
		started:   time.Now(),
		manager:   &manager{asks: map[string]*Ask{}, nodes: map[string]*Node{}},
	}
	if scenario.Pace != nil {
		p.pace = *scenario.Pace
	}
	p.manager.available = func(id string) (Amounts, bool) {
		node := p.partition().GetNode(id)
		if node == nil {
			return nil, false
		}
		return plain(node.GetAvailableResource()), true
	}
	configs.SetConfigMap(map[string]string{})
	p.services = entrypoint.StartAllServicesWithManualScheduler()
	_, err := p.services.RMProxy.RegisterResourceManager(&si.RegisterResourceManagerRequest{
		RmID: managerID, PolicyGroup: "queues", Version: "1", Config: scenario.Config,
		BuildInfo: map[string]string{}, ExtraConfig: map[string]string{"log.level": "FATAL"},
	}, p.manager)
	if err != nil {
		p.recording.Error = err.Error()
		return p.recording
	}
	p.startQuotaPreemption()
	p.passes(p.pace.MessageNS)
	for index := range scenario.Events {
		p.happens(index, &scenario.Events[index])
	}
	p.passes(p.pace.MessageNS)
	p.recording.Final = snapshot(p.partition())
	return p.recording
}

func (p *player) partition() *scheduler.PartitionContext {
	return p.services.Scheduler.GetClusterContext().GetPartition(common.GetNormalizedPartitionName("default", managerID))
}

// startQuotaPreemption does once a second what manual scheduling leaves out, in the cores that have it.
func (p *player) startQuotaPreemption() {
	if _, has := any(p.partition().GetQueue("root")).(interface{ TryQuotaPreemption() }); !has {
		return
	}
	go func() {
		for {
			time.Sleep(time.Second - time.Since(p.started)%time.Second)
			partition := p.partition()
			if partition == nil || !partition.IsQuotaPreemptionEnabled() {
				continue
			}
			if root, has := any(partition.GetQueue("root")).(interface{ TryQuotaPreemption() }); has {
				root.TryQuotaPreemption()
			}
		}
	}()
}

// passes lets the core do what it has to do now, then time pass, with all that falls due in it.
func (p *player) passes(ns int64) {
	synctest.Wait()
	if ns > 0 {
		time.Sleep(time.Duration(ns))
		synctest.Wait()
	}
}

// wrote keeps what the core told since the last item.
func (p *player) wrote(event, cycle int) {
	p.recording.Trace = append(p.recording.Trace, Item{
		Event: event, Cycle: cycle, TMS: time.Since(p.started).Milliseconds(), Outcomes: p.manager.take(),
	})
}

// confirm answers the releases that the core announced, one by one.
func (p *player) confirm() {
	if !p.confirms {
		return
	}
	for _, each := range p.manager.toConfirm() {
		p.releases(each.ApplicationID, each.AllocationKey, each.TerminationType)
		p.passes(p.pace.MessageNS)
	}
}

func (p *player) happens(index int, event *Event) {
	switch {
	case event.Schedule > 0:
		for cycle := 1; cycle <= event.Schedule; cycle++ {
			// It pauses after its cycle for 100 ms, which nobody waits for: how long a cycle takes, the scenario says.
			go p.services.Scheduler.MultiStepSchedule(1)
			p.passes(p.pace.CycleNS + p.pace.MessageNS)
			p.wrote(index, cycle)
			p.confirm()
		}
	case event.AdvanceMS > 0:
		p.passes(event.AdvanceMS*int64(time.Millisecond) + p.pace.MessageNS)
		p.wrote(index, 0)
		p.confirm()
	case event.UntilNS > 0:
		p.passes(event.UntilNS - int64(time.Since(p.started)))
		p.wrote(index, 0)
		p.confirm()
	default:
		p.sends(event)
		p.passes(p.pace.MessageNS)
		p.wrote(index, 0)
	}
	if event.Snapshot {
		state := snapshot(p.partition())
		state["event"] = index
		p.recording.Snapshots = append(p.recording.Snapshots, state)
	}
}

// sends one message of the resource manager.
func (p *player) sends(event *Event) {
	proxy := p.services.RMProxy
	switch {
	case event.AddNode != nil:
		p.manager.registers(event.AddNode)
		action := si.NodeInfo_CREATE
		if event.AddNode.Schedulable != nil && !*event.AddNode.Schedulable {
			action = si.NodeInfo_CREATE_DRAIN
		}
		p.node(event.AddNode, action)
	case event.UpdateNode != nil:
		p.node(event.UpdateNode, si.NodeInfo_UPDATE)
	case event.DrainNode != "":
		p.node(&Node{ID: event.DrainNode}, si.NodeInfo_DRAIN_NODE)
	case event.UndrainNode != "":
		p.node(&Node{ID: event.UndrainNode}, si.NodeInfo_DRAIN_TO_SCHEDULABLE)
	case event.RemoveNode != "":
		p.node(&Node{ID: event.RemoveNode}, si.NodeInfo_DECOMISSION)
	case event.AddApp != nil:
		app := event.AddApp
		_ = proxy.UpdateApplication(&si.ApplicationRequest{RmID: managerID, New: []*si.AddApplicationRequest{{
			ApplicationID: app.ID, QueueName: app.Queue, PartitionName: "default",
			Ugi:  &si.UserGroupInformation{User: app.User, Groups: app.Groups},
			Tags: app.Tags, PlaceholderAsk: asked(app.PlaceholderAsk), GangSchedulingStyle: app.GangStyle,
			ExecutionTimeoutMilliSeconds: app.TimeoutMS,
		}}})
	case event.RemoveApp != "":
		_ = proxy.UpdateApplication(&si.ApplicationRequest{RmID: managerID, Remove: []*si.RemoveApplicationRequest{{
			ApplicationID: event.RemoveApp, PartitionName: "default",
		}}})
	case event.AddAsk != nil:
		p.ask(event.AddAsk)
	case event.AddAlloc != nil:
		p.ask(event.AddAlloc)
	case event.Release != nil:
		how := si.TerminationType_STOPPED_BY_RM
		if event.Release.Type != "" {
			how = si.TerminationType(si.TerminationType_value[event.Release.Type])
		}
		p.releases(event.Release.App, event.Release.Key, how)
	case event.UpdateConfig != "":
		err := proxy.UpdateConfiguration(&si.UpdateConfigurationRequest{
			RmID: managerID, PolicyGroup: "queues", Config: event.UpdateConfig, ExtraConfig: map[string]string{"log.level": "FATAL"},
		})
		if err != nil {
			p.manager.Lock()
			p.manager.told(Outcome{"config_rejected": err.Error()})
			p.manager.Unlock()
		}
	}
}

func (p *player) node(node *Node, action si.NodeInfo_ActionFromRM) {
	attributes := map[string]string{}
	for name, value := range node.Attributes {
		attributes[name] = value
	}
	_ = p.services.RMProxy.UpdateNode(&si.NodeRequest{RmID: managerID, Nodes: []*si.NodeInfo{{
		NodeID: node.ID, Action: action, Attributes: attributes, SchedulableResource: asked(node.Resources),
	}}})
}

func (p *player) ask(ask *Ask) {
	p.manager.knows(ask)
	tags := map[string]string{}
	for name, value := range ask.Tags {
		tags[name] = value
	}
	if ask.RequiredNode != "" {
		tags[siCommon.DomainYuniKorn+siCommon.KeyRequiredNode] = ask.RequiredNode
	}
	if ask.CreatedNS != nil { // the core reads whole seconds
		created := p.started.Add(time.Duration(*ask.CreatedNS)).Unix()
		tags[siCommon.CreationTime] = strconv.FormatInt(created, 10)
	}
	if ask.Foreign {
		tags[siCommon.Foreign] = siCommon.AllocTypeDefault
	}
	_ = p.services.RMProxy.UpdateAllocation(&si.AllocationRequest{RmID: managerID, Allocations: []*si.Allocation{{
		AllocationKey: ask.Key, ApplicationID: ask.App, PartitionName: "default", ResourcePerAlloc: asked(ask.Resources),
		Priority: ask.Priority, TaskGroupName: ask.TaskGroup, Placeholder: ask.Placeholder, Originator: ask.Originator,
		NodeID: ask.Node, AllocationTags: tags,
		PreemptionPolicy: &si.PreemptionPolicy{
			AllowPreemptSelf:  ask.AllowPreemptSelf == nil || *ask.AllowPreemptSelf,
			AllowPreemptOther: ask.AllowPreemptOther == nil || *ask.AllowPreemptOther,
		},
	}}})
}

func (p *player) releases(app, key string, how si.TerminationType) {
	_ = p.services.RMProxy.UpdateAllocation(&si.AllocationRequest{RmID: managerID, Releases: &si.AllocationReleasesRequest{
		AllocationsToRelease: []*si.AllocationRelease{{
			PartitionName: "default", ApplicationID: app, AllocationKey: key, TerminationType: how,
		}},
	}})
}
